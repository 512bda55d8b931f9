package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The conversions of gfx950 between floats of 8, 6 and 4 bits and wider ones: 1, 2 or 32 numbers,
 * multiplied or divided by a power of two, which is the exponent of a float. Results, rounding by
 * random bits and the order of numbers are those of the functions in AMD's {@code
 * amd_hip_ocp_fp.hpp}, which call these instructions on gfx950 and compute the same elsewhere. As
 * in the other conversions to 8 bits, MODE says whether overflow saturates.
 */
public final class ScaledConversion extends Op {
  private static final Pattern NAME =
      Pattern.compile(
          "v_cvt_(scalef32_)?(sr_)?(?:(pk|pk32|2xpk16)_)?(?:ocp)?"
              + "(f32|f16|bf16|fp8|bf8|fp6|bf6|fp4)_(?:ocp)?(f32|f16|bf16|fp8|bf8|fp6|bf6|fp4)");

  private static final int NO_SCALE = 127;
  private static final int NAN_SCALE = 255;
  private static final int ROUNDING = 0xf;

  private final MicroFloat narrow;
  private final WideFloat wide;
  private final boolean widens;
  private final int count;

  /** Numbers that follow each other come from two operands in turn. */
  private final boolean twoSources;

  /** Whether there are random bits, which follow the numbers. */
  private final boolean stochastic;

  /** Whether there is a scale, the last operand. */
  private final boolean scaled;

  private final int destination;

  /** Places of the first bits that are read and written. */
  private final int from;

  private final int to;
  private final int abs;
  private final int neg;

  private ScaledConversion(Instruction instruction, Matcher name, int destination) {
    super(instruction);
    this.destination = destination;
    this.widens = isWide(name.group(4));
    this.wide = WideFloat.valueOf(upper(name.group(widens ? 4 : 5)));
    this.narrow = MicroFloat.valueOf(upper(name.group(widens ? 5 : 4)));
    String numbers = name.group(3);
    this.count = numbers == null ? 1 : numbers.equals("pk") ? 2 : 32;
    this.stochastic = name.group(2) != null;
    this.scaled = name.group(1) != null;
    this.twoSources = instruction.operands().size() == 4 && !stochastic;
    Modifiers.Vop3 bits =
        instruction.modifiers() instanceof Modifiers.Vop3 m
            ? m
            : new Modifiers.Vop3(0, 0, 0, false, 0);
    // A byte by two bits of op_sel, the upper one of the sources first; a half by one.
    int sel = bits.opSel();
    boolean whole = count == 32;
    boolean halves = narrow.bits() == 8 && count == 2;
    this.from =
        !widens || whole ? 0 : halves ? 16 * (sel & 1) : 16 * (sel & 1) + 8 * (sel >> 1 & 1);
    this.to =
        whole || (widens && count * wide.bits() >= 32)
            ? 0
            : widens || halves ? 16 * (sel >> 3 & 1) : 16 * (sel >> 3 & 1) + 8 * (sel >> 2 & 1);
    this.abs = bits.abs();
    this.neg = bits.neg();
  }

  /**
   * The operation of a conversion; empty for other instructions, and for signs of packed halves.
   */
  static Optional<Op> of(Instruction instruction) {
    Matcher name = NAME.matcher(instruction.name());
    if (!name.matches()
        || isWide(name.group(4)) == isWide(name.group(5))
        || !(instruction.operands().getFirst() instanceof Operand.Vector(int register, int _))) {
      return Optional.empty();
    }
    ScaledConversion conversion = new ScaledConversion(instruction, name, register);
    // Which of several numbers in a register a sign applies to is not documented.
    boolean signs = !conversion.widens && (conversion.abs | conversion.neg) != 0;
    return signs && conversion.count > 1 && !conversion.twoSources
        ? Optional.empty()
        : Optional.of(conversion);
  }

  private static boolean isWide(String type) {
    return type.endsWith("16") || type.endsWith("32");
  }

  private static String upper(String type) {
    return type.toUpperCase(Locale.ROOT);
  }

  /** How many numbers are converted. */
  public int count() {
    return count;
  }

  /** The operand that holds a number. */
  public Operand source(int number) {
    return instruction().operands().get(place(number));
  }

  private int place(int number) {
    return twoSources ? 1 + (number & 1) : 1;
  }

  /** The place of a number's first bit in its operand. */
  public int sourceBit(int number) {
    return from + (twoSources ? number >> 1 : number) * sourceBits();
  }

  public int sourceBits() {
    return widens ? narrow.bits() : wide.bits();
  }

  /** The number of the first register that is written. */
  public int destination() {
    return destination;
  }

  /** The place of a result's first bit from that of the first register on. */
  public int resultBit(int number) {
    return to + number * resultBits();
  }

  public int resultBits() {
    return widens ? wide.bits() : narrow.bits();
  }

  /** The random bits and the scale, which belong to all numbers. */
  public List<Operand> shared() {
    return instruction().operands().subList(twoSources ? 3 : 2, instruction().operands().size());
  }

  @Override
  public void execute(Wave wave) {
    if ((wave.mode & ROUNDING) != 0) {
      throw new WaveTrap("this device rounds this instruction only to nearest even");
    }
    int[] results = new int[count];
    for (long active = wave.exec(); active != 0; active &= active - 1) {
      int lane = Long.numberOfTrailingZeros(active);
      int scale = instruction().operands().size() - 1;
      int exponent = scaled ? word(wave, scale, 0, lane) >>> 23 & 0xff : NO_SCALE;
      int random = stochastic ? word(wave, 2, 0, lane) : 0;
      for (int i = 0; i < count; i++) {
        int number = field(wave, place(i), sourceBit(i), lane);
        results[i] =
            widens
                ? widened(number, exponent)
                : narrowed(signed(number, i), exponent, random, wave);
      }
      for (int i = 0; i < count; i++) {
        put(wave, resultBit(i), results[i], lane);
      }
    }
  }

  private int widened(int code, int exponent) {
    double value = exponent == NAN_SCALE ? Double.NaN : narrow.value(code);
    return wide.of(Math.scalb(value, exponent - NO_SCALE));
  }

  private int narrowed(int number, int exponent, int random, Wave wave) {
    return exponent == NAN_SCALE
        ? narrow.nanLike(wide, number)
        : narrow.code(
            wide,
            number,
            exponent - NO_SCALE,
            stochastic,
            random,
            (wave.mode & UnusualMode.SATURATES) != 0);
  }

  private int signed(int number, int i) {
    int source = twoSources ? i & 1 : 0;
    int sign = 1 << (wide.bits() - 1);
    int size = (abs >> source & 1) != 0 ? number & ~sign : number;
    return (neg >> source & 1) != 0 ? size ^ sign : size;
  }

  private int field(Wave wave, int operand, int bit, int lane) {
    int width = sourceBits();
    if (width < Integer.SIZE
        && instruction().operands().get(operand) instanceof Operand.Vector(int register, int _)) {
      return BitFields.get(wave.v, register * Wave.LANES + lane, bit, width);
    }
    int word = word(wave, operand, bit / Integer.SIZE, lane);
    return width == Integer.SIZE ? word : word >>> bit & (1 << width) - 1;
  }

  /** A word of an operand; an inline constant is of the width of the operand's numbers. */
  private int word(Wave wave, int operand, int index, int lane) {
    Operand of = instruction().operands().get(operand);
    return switch (of) {
      case Operand.Vector(int register, int _) -> wave.v[(register + index) * Wave.LANES + lane];
      case Operand.Scalar(int code, int _) -> wave.s[code + index];
      case Operand.Special(int code) -> (int) wave.special(code);
      default -> (int) instruction().opcode().slots().get(operand).type().constant(of);
    };
  }

  private void put(Wave wave, int bit, int result, int lane) {
    int at = destination * Wave.LANES + lane;
    if (resultBits() == Integer.SIZE) {
      wave.v[at + bit / Integer.SIZE * Wave.LANES] = result;
    } else {
      BitFields.replace(wave.v, at, bit, resultBits(), result);
    }
  }
}
