package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.wave.WaveTrap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Definitions under another MODE than to nearest with denormals. Bits 1:0 round float, 3:2 half and
 * double; bits 5:4 keep denormals of float (4 sources, 5 results), 7:6 those of half and double.
 */
final class UnusualMode {
  private UnusualMode() {}

  /** The definition under the low byte of a MODE. */
  static Definition of(Definition usual, int mode) {
    Lane lane = usual.lane();
    Test test = usual.test();
    List<DataType> sources = usual.sources();
    DataType result = usual.result();
    int rounding = roundingOf(usual, mode);
    Lane core = lane == null ? null : rounding == 0 ? lane : rounded(usual.rounded(), rounding);
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
        null);
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
