package dev.rocport.device.op.scalar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Target;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every scalar instruction that computes does to all scalar registers and SCC what {@link Manual}
 * says: random registers with corner values, every kind of source, destinations that overlap
 * sources, EXEC, VCC and M0 among them.
 */
final class ManualTest {
  private static final int CASES = 600;
  private static final int LITERAL = 255;

  /** Those that jump, choose registers by M0 or touch MODE: {@link ControlTest} has them. */
  static final Set<String> CONTROL =
      Set.of(
          "s_call_b64",
          "s_getpc_b64",
          "s_getreg_b32",
          "s_movreld_b32",
          "s_movreld_b64",
          "s_movrels_b32",
          "s_movrels_b64",
          "s_set_gpr_idx_idx",
          "s_set_gpr_idx_on",
          "s_setpc_b64",
          "s_setreg_b32",
          "s_setreg_imm32_b32",
          "s_swappc_b64");

  private static final int[] CORNERS = {
    0,
    1,
    -1,
    2,
    -2,
    31,
    32,
    33,
    63,
    64,
    127,
    128,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0x7ffffffe,
    0xffff,
    0x8000,
    0xffff0000,
    0x7fff0000,
    0x80,
    0xff,
    0x0f0f0f0f,
    0xf0000000,
    0x11111111,
    0x88888888,
    0xaaaaaaaa,
    0x00200000,
    0x00400000,
    0x0020001f,
    0x001f0001,
    0x007f0000
  };

  static Stream<Opcode> computing() {
    return Machine.opcodes(Target.GFX942).stream()
        .filter(o -> o.encoding() != Encoding.SOPP)
        .filter(o -> !CONTROL.contains(o.name()))
        .filter(o -> !CoverageTest.MISSING.containsKey(o.name()));
  }

  @ParameterizedTest
  @MethodSource("computing")
  void doesWhatTheManualSays(Opcode opcode) {
    Random random = new Random(opcode.name().hashCode());
    List<Target> targets = Target.withLanes(64);
    for (int n = 0; n < CASES; n++) {
      check(opcode, random, targets.get(n % targets.size()));
    }
  }

  private static void check(Opcode opcode, Random random, Target target) {
    String name = opcode.name();
    boolean constant = opcode.encoding() == Encoding.SOPK;
    boolean one = opcode.encoding() == Encoding.SOP1;
    int ssrc0 = source(random, Manual.sourceBits(name, 0));
    int ssrc1 = source(random, Manual.sourceBits(name, 1));
    while (ssrc0 == LITERAL && ssrc1 == LITERAL) {
      ssrc1 = source(random, Manual.sourceBits(name, 1));
    }
    int bits = Manual.destinationBits(name);
    int sdst = register(random, bits);
    switch (random.nextInt(6)) {
      case 0 -> sdst = ssrc0 < 124 ? ssrc0 & -(bits / 32) : sdst;
      case 1 -> sdst = ssrc1 < 124 ? ssrc1 & -(bits / 32) : sdst;
      default -> {}
    }
    int simm16 = value(random);
    int literal = value(random);
    int word = Machine.word(opcode, sdst, ssrc0, constant ? simm16 : ssrc1);

    Machine machine = new Machine(target, word, literal);
    int[] s = machine.wave.s;
    for (int i = 0; i < s.length; i++) {
      s[i] = value(random);
    }
    relate(random, s, ssrc0, ssrc1);
    machine.wave.scc = random.nextInt(2);
    Manual manual = new Manual(s, machine.wave.scc);
    if (constant) {
      manual.runConstant(name, sdst, simm16);
    } else {
      manual.run(name, sdst, ssrc0, one ? -1 : ssrc1, literal);
    }
    int[] before = s.clone();
    int second = ssrc1;
    int to = sdst;
    Supplier<String> what =
        () ->
            "%s sdst %d ssrc0 %d ssrc1 %d simm16 %x literal %x registers %s"
                .formatted(name, to, ssrc0, second, simm16 & 0xffff, literal, hex(before));
    machine.step();
    assertThat(machine.wave.s).as(what).isEqualTo(manual.s);
    assertThat(machine.wave.scc).as(what).isEqualTo(manual.scc);
    boolean extended = !constant && (ssrc0 == LITERAL || (!one && ssrc1 == LITERAL));
    assertThat(machine.next()).as(what).isEqualTo(extended ? 2 : 1);
    assertThat(machine.wave.mode).isEqualTo(0x3f0);
  }

  /** Often the sources are equal or differ by one, or EXEC and VCC are zero. */
  private static void relate(Random random, int[] s, int ssrc0, int ssrc1) {
    if (ssrc0 < 124 && ssrc1 < 124) {
      switch (random.nextInt(4)) {
        case 0 -> s[ssrc1] = s[ssrc0];
        case 1 -> s[ssrc1] = s[ssrc0] + random.nextInt(3) - 1;
        default -> {}
      }
      if (random.nextInt(3) == 0) {
        s[ssrc1 + 1] = s[ssrc0 + 1];
      }
    }
    for (int mask : new int[] {106, 126}) {
      if (random.nextInt(4) == 0) {
        s[mask] = 0;
        s[mask + 1] = 0;
      }
    }
  }

  private static int value(Random random) {
    return switch (random.nextInt(5)) {
      case 0, 1 -> CORNERS[random.nextInt(CORNERS.length)];
      case 2 -> 1 << random.nextInt(32);
      case 3 -> random.nextInt(64) | random.nextInt(128) << 16;
      default -> random.nextInt();
    };
  }

  private static int register(Random random, int bits) {
    int code =
        switch (random.nextInt(5)) {
          case 0 -> 126 + random.nextInt(2);
          case 1 -> 106 + random.nextInt(2);
          case 2 -> bits == 32 ? 124 : 100;
          default -> random.nextInt(124);
        };
    return bits == 32 ? code : code & ~1;
  }

  private static int source(Random random, int bits) {
    return switch (random.nextInt(12)) {
      case 0 -> LITERAL;
      case 1, 2 -> 128 + random.nextInt(81);
      case 3 -> 240 + random.nextInt(9);
      case 4 -> 251 + random.nextInt(3);
      // As one word, an aperture is not documented.
      case 5 -> bits == 64 ? 235 + random.nextInt(4) : 193 + random.nextInt(16);
      default -> register(random, bits);
    };
  }

  private static String hex(int[] s) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < s.length; i++) {
      text.append(i).append(':').append(Integer.toHexString(s[i])).append(' ');
    }
    return text.toString();
  }
}
