package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.wave.WaveTrap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Definitions under another MODE than to nearest with denormals. Bits 1:0 round float, 3:2 half and
 * double; bits 5:4 keep denormals of float (4 sources, 5 results), 7:6 those of half and double.
 * With bit 23, FP16_OVFL, a half or a code of 8 bits that overflows becomes the largest one.
 */
final class UnusualMode {
  static final int SATURATES = 1 << 23;

  private static final long INFINITE_HALF = 0x7c00;

  private UnusualMode() {}

  /** The definition under a MODE. */
  static Definition of(Definition usual, int mode) {
    Lane lane = usual.lane();
    Test test = usual.test();
    List<DataType> sources = usual.sources();
    DataType result = usual.result();
    int rounding = roundingOf(usual, mode);
    Lane exact = lane == null ? null : rounding == 0 ? lane : rounded(usual.rounded(), rounding);
    Lane core = (mode & SATURATES) == 0 || exact == null ? exact : saturating(usual, exact);
    return new Definition(
        result,
        sources,
        core == null
            ? null
            : (a, b, c, bit) ->
                flush(
                    core.apply(
                        source(a, sources, 0, mode),
                        source(b, sources, 1, mode),
                        source(c, sources, 2, mode),
                        bit),
                    result,
                    mode >> 1),
        test == null
            ? null
            : (a, b, c, bit) ->
                test.test(
                    source(a, sources, 0, mode),
                    source(b, sources, 1, mode),
                    source(c, sources, 2, mode),
                    bit),
        null,
        usual.takesMask(),
        null,
        usual.implied(),
        usual.keepsHalf(),
        false,
        null,
        null);
  }

  private static Lane saturating(Definition usual, Lane exact) {
    if (usual.saturated() != null) {
      return usual.saturated();
    }
    List<DataType> sources = usual.sources();
    // Each of two whole sources makes one element of a packed result.
    boolean packs = sources.size() == 2 && !sources.contains(DataType.PK_F16);
    return switch (usual.result()) {
      case F16 ->
          (a, b, c, bit) -> {
            long half = exact.apply(a, b, c, bit);
            return isInfinite(half) && !isInfinite(sources, 0, false, a, b, c) ? half - 1 : half;
          };
      case PK_F16 ->
          (a, b, c, bit) -> {
            long both = exact.apply(a, b, c, bit);
            long low = isInfinite(both) && !isInfinite(sources, 0, packs, a, b, c) ? 1 : 0;
            long high =
                isInfinite(both >>> 16) && !isInfinite(sources, 1, packs, a, b, c) ? 1 << 16 : 0;
            return both - low - high;
          };
      case null, default -> exact;
    };
  }

  private static boolean isInfinite(long half) {
    return (half & 0x7fff) == INFINITE_HALF;
  }

  /**
   * Whether an element of the result is infinite for another reason than overflow: a source is, or
   * the only source is a zero, as that of a reciprocal.
   */
  private static boolean isInfinite(
      List<DataType> sources, int element, boolean packs, long a, long b, long c) {
    long[] values = {a, b, c};
    for (int i = 0; i < sources.size() && i < values.length; i++) {
      if (packs && i != element) {
        continue;
      }
      double value =
          switch (sources.get(i)) {
            case F16 -> Half.value(values[i]);
            case PK_F16 -> Half.value(values[i] >>> (16 * element));
            case F32 -> Float.intBitsToFloat((int) values[i]);
            default -> 1;
          };
      if (Double.isInfinite(value) || (value == 0 && sources.size() == 1)) {
        return true;
      }
    }
    return false;
  }

  /** The rounding that decides: the narrower of result and sources where they differ. */
  private static int roundingOf(Definition usual, int mode) {
    DataType result = usual.result();
    if (result == null) {
      return 0;
    }
    boolean single = result.isFloat() && result.elementBits() == 32;
    return result.isFloat() ? single ? mode & 3 : mode >> 2 & 3 : 0;
  }

  private static Lane rounded(Definition.@Nullable Rounded rounded, int rounding) {
    if (rounded == null) {
      return (a, b, c, bit) -> {
        throw new WaveTrap("this device rounds this instruction only to nearest even");
      };
    }
    return (a, b, c, bit) -> rounded.apply(a, b, c, rounding);
  }

  private static long source(long bits, List<DataType> sources, int i, int mode) {
    return i < sources.size() ? flush(bits, sources.get(i), mode) : bits;
  }

  /** A denormal becomes a zero of its sign, unless MODE keeps it: bit 4 float, bit 6 the others. */
  private static long flush(long bits, @Nullable DataType type, int mode) {
    if (type == null || !type.isFloat() || (mode >> (type.elementBits() == 32 ? 4 : 6) & 1) != 0) {
      return bits;
    }
    return switch (type.elementBits()) {
      case 16 -> flushHalf(bits & 0xffff) | flushHalf(bits >>> 16 & 0xffff) << 16;
      case 32 -> (bits & 0x7f800000L) == 0 ? bits & 0x80000000L : bits;
      default -> (bits & 0x7ff0000000000000L) == 0 ? bits & Long.MIN_VALUE : bits;
    };
  }

  private static long flushHalf(long bits) {
    return (bits & 0x7c00) == 0 ? bits & 0x8000 : bits;
  }
}
