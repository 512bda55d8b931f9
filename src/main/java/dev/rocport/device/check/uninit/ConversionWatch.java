package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.vector.ScaledConversion;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/**
 * Conversions of several small floats: a result is undefined if any bit of its number, of the scale
 * or of the random bits is.
 */
final class ConversionWatch extends AroundOp {
  private static final int ALL = -1;

  private final ScaledConversion conversion;

  ConversionWatch(Op plain, ScaledConversion conversion) {
    super(plain);
    this.conversion = conversion;
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    for (long active = wave.exec(); active != 0; active &= active - 1) {
      lane(shade, Long.numberOfTrailingZeros(active));
    }
    plain.execute(wave);
  }

  private void lane(Shade shade, int lane) {
    int[] origins = new int[conversion.count()];
    int shared = 0;
    for (Operand operand : conversion.shared()) {
      shared = shared == 0 ? origin(shade, operand, 0, Integer.SIZE, lane) : shared;
    }
    for (int i = 0; i < origins.length; i++) {
      int bit = conversion.sourceBit(i);
      int own = origin(shade, conversion.source(i), bit, conversion.sourceBits(), lane);
      origins[i] = own == 0 ? shared : own;
    }
    for (int i = 0; i < origins.length; i++) {
      set(shade, conversion.resultBit(i), origins[i], lane);
    }
  }

  /** Where undefined bits of a field come from, plus 1; 0 if all are defined. */
  private static int origin(Shade shade, Operand operand, int from, int width, int lane) {
    int last = (from + width - 1) / Integer.SIZE;
    for (int word = from / Integer.SIZE; word <= last; word++) {
      int mask = mask(from, width, word);
      switch (operand) {
        case Operand.Vector(int register, int _) -> {
          if ((shade.bits(register + word, lane) & mask) != 0) {
            return 1 + shade.origin(register + word, lane);
          }
        }
        case Operand.Scalar(int code, int _) -> {
          if ((shade.s[code + word] & mask) != 0) {
            return 1 + shade.originOfScalar(code + word);
          }
        }
        default -> {}
      }
    }
    return 0;
  }

  private void set(Shade shade, int from, int origin, int lane) {
    int last = (from + conversion.resultBits() - 1) / Integer.SIZE;
    for (int word = from / Integer.SIZE; word <= last; word++) {
      int register = conversion.destination() + word;
      int mask = mask(from, conversion.resultBits(), word);
      int before = shade.bits(register, lane);
      int after = origin == 0 ? before & ~mask : before | mask;
      shade.set(register, lane, after, origin == 0 ? shade.origin(register, lane) : origin - 1);
    }
  }

  /** The bits of a word that belong to a field. */
  private static int mask(int from, int width, int word) {
    int low = Math.max(from - word * Integer.SIZE, 0);
    int high = Math.min(from + width - word * Integer.SIZE, Integer.SIZE);
    return ALL >>> (Integer.SIZE - (high - low)) << low;
  }
}
