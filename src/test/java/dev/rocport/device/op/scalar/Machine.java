package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Environment;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;

/** A wave that runs encoded scalar instructions from the middle of a text. */
final class Machine {
  static final long BASE = 0x7f12_3456_7000L;

  /** The index of the first word that runs. */
  static final int START = 64;

  private static final int WORDS = 128;

  /** Scalar instructions do not use it. */
  private static final Temporaries TEMPORARIES = new Temporaries();

  final Wave wave;
  final List<Integer> messages = new ArrayList<>();

  Machine(Target target, int... words) {
    int[] text = new int[WORDS + 1];
    System.arraycopy(words, 0, text, START, words.length);
    Decoder decoder = Decoders.of(target);
    Code code =
        new Code(
            BASE,
            4L * WORDS,
            offset -> {
              int at = (int) (offset >> 2);
              return decoder.decode(text[at], text[at + 1]);
            },
            new ScalarTranslator());
    wave = new Wave(code, new Group(new Host(target), 0, 0, 0, 0, 0), 5, 1, 1, 0, 0, TEMPORARIES);
    wave.pc = START;
    wave.mode = 0x3f0;
  }

  /** Runs one instruction. */
  Machine step() {
    wave.run(1);
    return this;
  }

  /** The index of the next word, from the first. */
  int next() {
    return wave.pc - START;
  }

  static List<Opcode> opcodes(Target target) {
    return Decoders.of(target).opcodes().stream()
        .filter(o -> o.name().startsWith("s_") && o.encoding() != Encoding.SMEM)
        .toList();
  }

  static Opcode opcode(String name) {
    return opcodes(Target.GFX942).stream()
        .filter(o -> o.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /**
   * The first word of an instruction.
   *
   * @param constant ssrc1 of SOP2 and SOPC, simm16 of SOPK and SOPP
   */
  static int word(Opcode opcode, int sdst, int ssrc0, int constant) {
    int number = opcode.number();
    return switch (opcode.encoding()) {
      case SOP2 -> 0b10 << 30 | number << 23 | sdst << 16 | constant << 8 | ssrc0;
      case SOPK -> 0b1011 << 28 | number << 23 | sdst << 16 | (constant & 0xffff);
      case SOP1 -> 0b101111101 << 23 | sdst << 16 | number << 8 | ssrc0;
      case SOPC -> 0b101111110 << 23 | number << 16 | constant << 8 | ssrc0;
      case SOPP -> 0b101111111 << 23 | number << 16 | (constant & 0xffff);
      default -> throw new IllegalArgumentException(opcode.name());
    };
  }

  private static final class Decoders {
    private static final Decoder GFX90A = Decoder.of(Target.GFX90A);
    private static final Decoder GFX942 = Decoder.of(Target.GFX942);

    static Decoder of(Target target) {
      return target == Target.GFX90A ? GFX90A : GFX942;
    }
  }

  private final class Host implements Environment {
    private final Target target;

    Host(Target target) {
      this.target = target;
    }

    @Override
    public Target target() {
      return target;
    }

    @Override
    public AddressSpace memory() {
      throw new IllegalStateException("scalar instructions touch no memory");
    }

    @Override
    public void message(Wave from, int message) {
      messages.add(message);
    }

    @Override
    public long realTime() {
      return 0;
    }

    @Override
    public int workgroups() {
      return 1;
    }
  }
}
