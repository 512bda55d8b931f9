package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;

/**
 * A matrix instruction. Where elements are undefined, it is done twice more, with other numbers in
 * their place: what differs then, depends on them.
 */
final class MatrixWatch extends AroundOp {
  private final int[] first;
  private final int[] words;
  private final int target;
  private final int targetWords;
  private final int[] reads;
  private final boolean ofIntegers;
  private final boolean sparse;

  /** Its elements of 6 and 4 bits have no NaN that could mark them. */
  private final boolean unmarked;

  MatrixWatch(Op plain) {
    super(plain);
    Instruction i = plain.instruction();
    int count = i.operands().size() - 1;
    this.first = new int[count];
    this.words = new int[count];
    Registers read = new Registers();
    for (int k = 0; k < count; k++) {
      Operand operand = i.operands().get(k + 1);
      first[k] = Registers.isVector(operand) ? Registers.number(operand) : -1;
      words[k] = words(operand, i.opcode().slots().get(k + 1).type());
      read.operand(operand, words[k]);
    }
    this.target = Registers.number(i.operands().getFirst());
    this.targetWords = i.opcode().slots().getFirst().type().dwords();
    this.ofIntegers = i.name().contains("_i32_");
    this.sparse = i.name().startsWith("v_smfmac");
    this.unmarked = i.modifiers() instanceof Modifiers.ScaledMatrix;
    if (sparse) {
      read.vector(target, targetWords);
    }
    this.reads = read.vectors();
  }

  private static int words(Operand operand, DataType type) {
    return switch (operand) {
      case Operand.Vector(_, int dwords) -> dwords;
      case Operand.Accumulator(_, int dwords) -> dwords;
      default -> type.dwords();
    };
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    long suspects = 0;
    for (int r : reads) {
      suspects |= shade.any[r];
    }
    if (suspects == 0) {
      plain.execute(wave);
      for (int w = 0; w < targetWords; w++) {
        shade.any[target + w] = 0;
      }
      return;
    }
    slow(wave, shade);
  }

  private void slow(Wave wave, Shade shade) {
    int origin = Origins.REGISTER;
    int[] v = wave.v.clone();
    int[] a = wave.a.clone();
    int[] factors = new int[targetWords * Wave.LANES];
    boolean spoilt = false;
    for (int k = 0; k < first.length; k++) {
      for (int w = 0; first[k] >= 0 && w < words[k]; w++) {
        long lanes = shade.any[first[k] + w];
        if (lanes != 0) {
          origin = shade.origin(first[k] + w, Long.numberOfTrailingZeros(lanes));
          spoilt |= sparse && k == 2;
        }
      }
    }
    if (!spoilt && !unmarked) {
      // A with B of ones, then B with A of ones: what is undefined shows as NaN, or as not zero.
      for (int pass = 0; pass < 2; pass++) {
        fill(wave, shade, 0, pass == 0);
        fill(wave, shade, 1, pass == 1);
        fillSums(wave);
        plain.execute(wave);
        collect(wave, factors);
        System.arraycopy(v, 0, wave.v, 0, v.length);
        System.arraycopy(a, 0, wave.a, 0, a.length);
      }
    }
    int added = sparse ? target : first[2];
    int[] bits = new int[factors.length];
    for (int w = 0; w < targetWords; w++) {
      for (int lane = 0; lane < Wave.LANES; lane++) {
        int at = w * Wave.LANES + lane;
        boolean own = added >= 0 && shade.bits(added + w, lane) != 0;
        bits[at] = spoilt || own || factors[at] != 0 ? -1 : 0;
      }
    }
    plain.execute(wave);
    for (int w = 0; w < targetWords; w++) {
      for (int lane = 0; lane < Wave.LANES; lane++) {
        shade.set(target + w, lane, bits[w * Wave.LANES + lane], origin | Origins.COMPUTED);
      }
    }
  }

  private static int[] file(Wave wave, int register) {
    return register < Shade.ACCUMULATORS ? wave.v : wave.a;
  }

  private static int at(int register) {
    return (register & Shade.ACCUMULATORS - 1) * Wave.LANES;
  }

  /** Puts a factor into the registers: where it counts, its undefined elements as all ones. */
  private void fill(Wave wave, Shade shade, int k, boolean counts) {
    for (int w = 0; w < words[k]; w++) {
      int[] file = file(wave, first[k]);
      int at = at(first[k]) + w * Wave.LANES;
      for (int lane = 0; lane < Wave.LANES; lane++) {
        int bits = counts ? shade.bits(first[k] + w, lane) : 0;
        if (counts && instruction().name().contains("_f64_")) {
          bits |= shade.bits(first[k] + (w ^ 1), lane);
        }
        file[at + lane] = counts ? marks(bits) : ofIntegers ? 0x01010101 : 0;
      }
    }
  }

  /** Elements of 8, 16 or 32 bits, or halves of 64: those with any undefined bit, as a mark. */
  private int marks(int bits) {
    String name = instruction().name();
    int size = elementBits(name);
    int result = 0;
    for (int shift = 0; shift < 32; shift += size) {
      int ones = size == 32 ? -1 : (1 << size) - 1;
      if ((bits >>> shift & ones) != 0) {
        // NaN in all types of floats; 1 in integers
        boolean ocp = name.contains("ocp");
        int mark =
            ofIntegers ? 1 : size == 8 ? (ocp ? 0x7f : 0x80) : size == 16 ? 0x7fff : 0x7fffffff;
        result |= mark << shift;
      }
    }
    return result;
  }

  private static int elementBits(String name) {
    return name.endsWith("i8") || name.endsWith("fp8") || name.endsWith("bf8")
        ? 8
        : name.contains("f16") ? 16 : 32;
  }

  private void fillSums(Wave wave) {
    int added = sparse ? target : first[2];
    if (added >= 0) {
      Arrays.fill(file(wave, added), at(added), at(added) + targetWords * Wave.LANES, 0);
    }
  }

  private void collect(Wave wave, int[] factors) {
    int[] file = file(wave, target);
    int at = at(target);
    boolean wide = instruction().name().contains("_f64_");
    for (int i = 0; i < factors.length; i++) {
      int value = file[at + i];
      boolean marked;
      if (ofIntegers) {
        marked = value != constantOfSum();
      } else if (wide) {
        int row = i / Wave.LANES | 1;
        int high = file[at + row * Wave.LANES + i % Wave.LANES];
        marked = (high & 0x7ff00000) == 0x7ff00000;
      } else {
        marked = Float.isNaN(Float.intBitsToFloat(value));
      }
      factors[i] |= marked ? 1 : 0;
    }
  }

  /** What is added to every element, where no register is. */
  private int constantOfSum() {
    int last = instruction().operands().size() - 1;
    return !sparse && first[2] < 0 && instruction().operands().get(last) instanceof Operand.Inline
        ? (int) DataType.I32.constant(instruction().operands().get(last))
        : 0;
  }
}
