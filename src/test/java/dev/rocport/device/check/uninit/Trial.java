package dev.rocport.device.check.uninit;

import dev.rocport.device.check.Findings;
import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.Heap;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.NoEnvironment;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * One instruction on registers of which some bits are undefined: the check's view of the result,
 * and how the result varies when those bits take all values.
 */
final class Trial {
  /** Undefined bits of a lane, of all its registers together, so that all values can be tried. */
  static final int BITS = 6;

  static final int REGISTERS = 48;

  final Wave wave;
  final Shade shade;

  /** How often EXEC or a jump was found to be undefined. */
  int branches;

  /** Bits of each register and lane that took more than one value. */
  final int[] varied = new int[REGISTERS * Wave.LANES];

  final int[] variedScalars = new int[128];
  boolean variedScc;

  final Uninit check = new Uninit(new Findings(), LoadedCode::translate);
  private final SplittableRandom random;
  private final Set<Integer> spoilt = new TreeSet<>();
  private final int[] undefined = new int[REGISTERS * Wave.LANES];
  private final int[] undefinedScalars = new int[128];

  Trial(SplittableRandom random, Target target) {
    this.random = random;
    Code code =
        new Code(
            0,
            64,
            a -> {
              throw new WaveTrap("no code");
            },
            i -> Optional.empty());
    Group group = new Group(new NoEnvironment(target), 0, 0, 0, 0, 0);
    this.wave = new Wave(code, group, 0, REGISTERS, REGISTERS, 0, 0, new Temporaries());
    wave.mode = 0x3f0;
    wave.pc = 3;
    this.shade =
        new Shade(
            new Counted(), wave, new Region(0, 128, Heap.take(128), 7), new LocalOrigins(128));
    wave.uninit = shade;
    for (int i = 0; i < wave.v.length; i++) {
      wave.v[i] = number();
      wave.a[i] = number();
    }
    for (int i = 0; i < wave.s.length; i++) {
      wave.s[i] = number();
    }
    wave.scc = random.nextInt(2);
    long all = wave.lanes == Wave.LANES ? -1L : (1L << wave.lanes) - 1;
    wave.s64(Wave.EXEC, (random.nextBoolean() ? -1L : random.nextLong()) & all);
    Arrays.fill(shade.any, 0);
    shade.define(-1L, -1L);
    shade.scc = false;
  }

  /**
   * Numbers as programs have them: small ones, floats, any. None is NaN as any type of float, since
   * Java does not promise which NaN comes of one.
   */
  private int number() {
    while (true) {
      int number =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt(40);
            case 1 -> Float.floatToRawIntBits((float) random.nextInt(-100, 100) / 4);
            default -> random.nextInt();
          };
      boolean half = (number & 0x7c00) == 0x7c00 || (number >>> 16 & 0x7c00) == 0x7c00;
      if (!half && (number & 0x7f800000) != 0x7f800000 && (number & 0x7ff00000) != 0x7ff00000) {
        return number;
      }
    }
  }

  /** Makes up to {@link #BITS} bits of each lane undefined, in these registers. */
  void spoil(int... registers) {
    for (int lane = 0; lane < wave.lanes; lane++) {
      int bits = random.nextInt(BITS + 1);
      for (int n = 0; n < bits; n++) {
        int register = registers[random.nextInt(registers.length)];
        int at = register * Wave.LANES + lane;
        spoilt.add(register);
        undefined[at] |= 1 << random.nextInt(random.nextBoolean() ? 32 : 8);
        shade.set(register, lane, undefined[at], 1);
      }
    }
  }

  void spoilScalars(int bits, int... codes) {
    for (int n = 0; n < bits; n++) {
      int code = codes[random.nextInt(codes.length)];
      undefinedScalars[code] |= 1 << random.nextInt(32);
      shade.setScalar(code, undefinedScalars[code], 1);
    }
  }

  void spoilScc() {
    shade.scc = true;
  }

  /** Does it as the check has it, after having tried all values on the plain operation. */
  void run(Instruction instruction) {
    Op plain = LoadedCode.translate(instruction).orElseThrow();
    int[] v = wave.v.clone();
    int[] a = wave.a.clone();
    int[] s = wave.s.clone();
    int scc = wave.scc;
    boolean spoiltScc = shade.scc;
    int[] firstV = null;
    int[] firstS = null;
    int firstScc = 0;
    for (int value = 0; value < 1 << BITS; value++) {
      vary(v, s, value);
      if (spoiltScc) {
        wave.scc = value & 1;
      }
      plain.execute(wave);
      if (firstV == null) {
        firstV = wave.v.clone();
        firstS = wave.s.clone();
        firstScc = wave.scc;
      }
      for (int row = 0; row < varied.length; row += Wave.LANES) {
        int end = row + Wave.LANES;
        if (!Arrays.equals(wave.v, row, end, firstV, row, end)) { // few registers differ
          for (int i = row; i < end; i++) {
            varied[i] |= wave.v[i] ^ firstV[i];
          }
        }
      }
      for (int i = 0; i < variedScalars.length; i++) {
        variedScalars[i] |= wave.s[i] ^ firstS[i];
      }
      variedScc |= wave.scc != firstScc;
      restore(v, a, s, scc);
    }
    check.around(plain).execute(wave);
  }

  private void restore(int[] v, int[] a, int[] s, int scc) {
    System.arraycopy(v, 0, wave.v, 0, v.length);
    System.arraycopy(a, 0, wave.a, 0, a.length);
    System.arraycopy(s, 0, wave.s, 0, s.length);
    wave.scc = scc;
    wave.pc = 3;
  }

  /** The bits of {@code value} go to the undefined bits, in any order, of each lane. */
  private void vary(int[] v, int[] s, int value) {
    int[] open = new int[Wave.LANES];
    Arrays.fill(open, value);
    for (int register : spoilt) {
      for (int lane = 0; lane < Wave.LANES; lane++) {
        int at = register * Wave.LANES + lane;
        int mask = undefined[at];
        if (mask != 0) {
          wave.v[at] = (v[at] & ~mask) | Integer.expand(open[lane], mask);
          open[lane] >>>= Integer.bitCount(mask);
        }
      }
    }
    int left = value;
    for (int code = 0; code < undefinedScalars.length; code++) {
      int mask = undefinedScalars[code];
      if (mask != 0) {
        wave.s[code] = (s[code] & ~mask) | Integer.expand(left, mask);
        left >>>= Integer.bitCount(mask);
      }
    }
  }

  private final class Counted implements Report {
    private final Origins origins = new Origins();
    private final Work work = new Work();

    @Override
    public void branch(Wave of, long lanes, int origin) {
      branches++;
    }

    @Override
    public void address(Wave of, long lanes, int origin) {
      throw new AssertionError("no address is used");
    }

    @Override
    public void store(Wave of, long lanes, int origin) {
      throw new AssertionError("nothing is stored");
    }

    @Override
    public void atomic(Wave of, long lanes, int origin) {
      throw new AssertionError("nothing is stored");
    }

    @Override
    public Origins origins() {
      return origins;
    }

    @Override
    public Work work() {
      return work;
    }
  }
}
