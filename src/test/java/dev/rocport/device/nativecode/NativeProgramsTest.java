package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.isa.UndefinedOpcodeException;
import dev.rocport.device.wave.RandomWaves;
import dev.rocport.device.wave.RandomWaves.Outcome;
import dev.rocport.device.wave.Wave;
import dev.rocport.toolchain.TestToolchain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random groups of all ALU instructions that native code knows, but those of matrices, with random
 * operands and modifiers, leave a wave as the interpreter does, with the same bits of NaNs.
 */
@Tag("toolchain")
final class NativeProgramsTest {
  /** Programs for each target, each of one function. */
  private static final int PROGRAMS =
      Integer.getInteger("rocport.programs", TestProfile.isFull() ? 40 : 2);

  private static final int GROUPS = 20;
  private static final int INSTRUCTIONS = 16;

  /** Codes of source 0 after which a word tells from which lane it comes. */
  private static final List<Integer> LANES = List.of(233, 234, 250);

  private static final int TRIES = 20;

  /** Kinds of data-parallel primitives: quads, shifts, rotation, mirrors, shares, exchanges. */
  private static final int[] CONTROLS = {0, 0x90, 0x100, 0x110, 0x120, 0x140, 0x150, 0x160};

  /** Registers that are written are not below these. */
  private static final int VGPRS = 80;

  private static final int SGPRS = 56;

  /** The number of an instruction in its group. */
  private int number;

  private boolean isRdna;

  /** The second halves of dual instructions. */
  private List<Opcode> halves = List.of();

  private final SplittableRandom random =
      new SplittableRandom(Long.getLong("rocport.programs.seed", 24));

  @ParameterizedTest
  @EnumSource(Target.class)
  void nativeCodeDoesWhatTheInterpreterDoes(Target target) throws Exception {
    compare(target, target.lanes());
  }

  @ParameterizedTest
  @EnumSource(names = {"GFX1100", "GFX1151", "GFX1201"})
  void nativeCodeOfWavesOf64LanesDoesWhatTheInterpreterDoes(Target target) throws Exception {
    compare(target, Wave.LANES);
  }

  private void compare(Target target, int lanes) throws Exception {
    Decoder decoder = Decoder.of(target, lanes);
    isRdna = target.generation() != Generation.CDNA;
    List<Opcode> opcodes =
        decoder.opcodes().stream().filter(o -> !o.name().startsWith("v_mfma")).toList();
    halves = opcodes.stream().filter(o -> o.encoding() == Encoding.VOPDY).toList();
    List<HostVectors> vectors = HostVectors.all();
    TreeSet<String> names = new TreeSet<>();
    int next = 0;
    for (int program = 0; program < PROGRAMS; program++) {
      List<Integer> words = new ArrayList<>();
      List<String> groups = new ArrayList<>();
      List<Integer> starts = new ArrayList<>();
      for (int group = 0; group < GROUPS; group++) {
        starts.add(words.size());
        StringBuilder text = new StringBuilder();
        for (number = 0; number < INSTRUCTIONS; ) {
          Opcode opcode = opcodes.get(next++ % opcodes.size());
          for (int i = 0; i < TRIES; i++) {
            int[] one = words(opcode);
            Instruction instruction = one.length == 0 ? null : decoded(decoder, one);
            if (instruction != null
                && (instruction.opcode().name().equals(opcode.name())
                    || instruction.opcode().encoding() == Encoding.VOPD)
                && Forms.of(instruction, lanes) != null
                && LoadedCode.translate(instruction, lanes).isPresent()) {
              for (int word = 0; word < instruction.size() / 4; word++) {
                words.add(one[word]);
              }
              names.add(opcode.mnemonic());
              text.append(shown(instruction)).append('\n');
              number++;
              break;
            }
          }
        }
        words.add(isRdna ? 0xbf830001 : 0xbf8e0001); // s_sleep, after which a block begins
        groups.add(text.toString());
      }
      HostCompiler compiler =
          new HostCompiler(
              TestToolchain.get().clang(),
              vectors.get(program % vectors.size()),
              Duration.ofMinutes(10));
      check(target, lanes, compiler, words.stream().mapToInt(w -> w).toArray(), starts, groups);
    }
    System.out.println(names.size() + " opcodes of " + target.arch() + " in waves of " + lanes);
    assertThat(names).hasSizeGreaterThan(300);
  }

  private static Instruction decoded(Decoder decoder, int[] words) {
    try {
      return decoder.decode(words[0], words[1], words[2]);
    } catch (UndefinedOpcodeException e) {
      return null;
    }
  }

  private static void check(
      Target target,
      int lanes,
      HostCompiler compiler,
      int[] words,
      List<Integer> starts,
      List<String> groups)
      throws Exception {
    try (RandomWaves waves = new RandomWaves(words, target, lanes)) {
      LoadedFunction function = LoadedFunction.of(Region.of(waves.code(), 0, true), compiler);
      for (int group = 0; group < groups.size(); group++) {
        int start = starts.get(group);
        NativeBlock block = function.block(function.entries().places().indexOf(start));
        for (int i = 0; i < RandomWaves.EXECS.size(); i++) {
          long seed = 1000L * start + i;
          long exec = RandomWaves.EXECS.get(i);
          Outcome one = waves.run(start, seed, exec, w -> block.run(w, INSTRUCTIONS + 1));
          assertThat(one.wave().instructions).isEqualTo(INSTRUCTIONS + 1);
          Outcome other = waves.run(start, seed, exec, w -> w.run(INSTRUCTIONS + 1));
          one.requireSame(
              other,
              "exec %x, %d run, %s%n%s"
                  .formatted(exec, other.wave().instructions, other.fault(), groups.get(group)));
        }
      }
    }
  }

  private static String shown(Instruction i) {
    List<String> operands = new ArrayList<>();
    for (Operand o : i.operands()) {
      operands.add(
          switch (o) {
            case Operand.Vector(int r, int n) -> "v" + r + (n > 1 ? ":" + n : "");
            case Operand.Scalar(int c, int n) -> "s" + c + (n > 1 ? ":" + n : "");
            default -> o.toString();
          });
    }
    String modifiers = i.modifiers() instanceof Modifiers.None ? "" : " " + i.modifiers();
    return i.name() + " " + String.join(", ", operands) + modifiers;
  }

  /** A register that no instruction writes, or a result of an earlier one. */
  private int vector() {
    return number > 0 && random.nextInt(3) == 0
        ? VGPRS + 2 * random.nextInt(number)
        : random.nextInt(VGPRS);
  }

  private int scalar() {
    return random.nextInt(8) == 0 ? 106 : random.nextInt(SGPRS / 2) * 2;
  }

  private int vectorResult() {
    return VGPRS + 2 * number;
  }

  private int scalarResult() {
    return random.nextInt(8) == 0 ? 106 : SGPRS + 2 * number;
  }

  /** A source of 9 bits: a vector or scalar register, or an inline constant. */
  private int source() {
    return random.nextInt(3) > 0 ? 256 + vector() : scalarSource();
  }

  private int scalarSource() {
    if (isRdna && random.nextInt(16) == 0) {
      return 124; // null
    }
    return switch (random.nextInt(3)) {
      case 0 -> 128 + random.nextInt(81);
      case 1 -> 240 + random.nextInt(9);
      default -> scalar();
    };
  }

  /** An instruction with random operands; no words for encodings that are left out. */
  private int[] words(Opcode o) {
    int op = o.number();
    int high = 0;
    int third = random.nextInt();
    int low;
    int first = source();
    boolean moves = isRdna && random.nextInt(4) == 0;
    if (moves) {
      first = LANES.get(random.nextInt(LANES.size()));
      int control = CONTROLS[random.nextInt(CONTROLS.length)] | random.nextInt(16);
      third = first == 250 ? control << 8 | (random.nextInt() & 0xff0c0000) : random.nextInt() << 8;
      third |= vector();
    }
    switch (o.encoding()) {
      case VOP1 -> {
        low = 0b0111111 << 25 | vectorResult() << 17 | op << 9 | first;
        high = moves ? third : high;
      }
      case VOP2 -> {
        low = op << 25 | vectorResult() << 17 | vector() << 9 | first;
        high = moves ? third : high;
      }
      case VOPC -> low = 0b0111110 << 25 | op << 17 | vector() << 9 | source();
      case VOPDX -> {
        Opcode y = halves.get(random.nextInt(halves.size()));
        low = 0b110010 << 26 | op << 22 | y.number() << 17 | operands(o);
        int to = vectorResult();
        high = to << 24 | (to + 1) / 2 << 17 | operands(y);
      }
      case VOP3, VOP3P -> {
        boolean packed = o.encoding() == Encoding.VOP3P;
        int start =
            isRdna
                ? (packed ? 0b11001100 << 24 : 0b110101 << 26)
                : (packed ? 0b110100111 << 23 : 0b110100 << 26);
        boolean masks = o.name().startsWith("v_cmp");
        int modifiers = random.nextBoolean() ? 0 : random.nextInt(8) << 8;
        boolean second = o.slots().size() > 1 && o.slots().get(1).destination();
        if (second) {
          modifiers = scalarResult() << 8;
        }
        if (random.nextInt(4) == 0) {
          modifiers |= 1 << 15;
        }
        if (packed) {
          modifiers |= random.nextInt(8) << 11;
          high |= random.nextInt(4) << 27;
        } else if (isRdna && !second && random.nextInt(4) == 0) {
          modifiers |= random.nextInt(16) << 11;
        }
        low = start | op << 16 | modifiers | (masks ? scalarResult() : vectorResult());
        high |= first | source() << 9 | source() << 18 | random.nextInt(8) << 29;
      }
      case SOP2 ->
          low = 0b10 << 30 | op << 23 | scalarResult() << 16 | scalarSource() << 8 | scalarSource();
      case SOP1 -> low = 0b101111101 << 23 | scalarResult() << 16 | op << 8 | scalarSource();
      case SOPC -> low = 0b101111110 << 23 | op << 16 | scalarSource() << 8 | scalarSource();
      case SOPK -> low = 0b1011 << 28 | op << 23 | scalarResult() << 16 | random.nextInt(1 << 16);
      default -> {
        return new int[0];
      }
    }
    return new int[] {low, high, third};
  }

  /** The sources of one half of a dual instruction. */
  private int operands(Opcode half) {
    boolean two = half.slots().stream().anyMatch(s -> s.name().equals("src1"));
    return source() | (two ? vector() << 9 : 0);
  }
}
