package dev.rocport.device.check.uninit;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;

/**
 * What a vector instruction reads in a lane: the value that counts, and which of it is undefined.
 */
final class VectorSource {
  private static final int NONE = -1;

  /** The number of a vector register; accumulators follow. */
  final int register;

  /** The code of a scalar register. */
  final int code;

  final int words;
  private final long constant;
  private final boolean special;

  private int shift;
  private int width;
  private boolean signed;
  private long cleared;
  private long flipped;

  private VectorSource(int register, int code, int words, long constant, boolean special) {
    this.register = register;
    this.code = code;
    this.words = words;
    this.constant = constant;
    this.special = special;
    this.width = 32 * words;
  }

  static VectorSource of(Operand operand, DataType type) {
    int words = type.dwords();
    VectorSource source =
        switch (operand) {
          case Operand.Vector(int register, int _) ->
              new VectorSource(register, NONE, words, 0, false);
          case Operand.Accumulator(int register, int _) ->
              new VectorSource(Shade.ACCUMULATORS + register, NONE, words, 0, false);
          case Operand.Scalar(int code, int _) when code == Operand.NULL ->
              new VectorSource(NONE, NONE, words, 0, false);
          case Operand.Scalar(int code, int _) -> new VectorSource(NONE, code, words, 0, false);
          case Operand.Special(int code) -> new VectorSource(NONE, NONE, words, code, true);
          case Operand.Inline _, Operand.Literal _ ->
              new VectorSource(NONE, NONE, words, type.constant(operand), false);
          case Operand.Immediate(int value) -> new VectorSource(NONE, NONE, words, value, false);
          case Operand.Off() -> new VectorSource(NONE, NONE, words, 0, false);
        };
    if (type.elementBits() == 16 && !type.name().startsWith("PK_")) {
      source.width = 16;
    }
    return source;
  }

  /** A number of 32 bits. */
  static VectorSource number(long value) {
    return new VectorSource(NONE, NONE, 1, value, false);
  }

  /** Only a field of the register. */
  void field(int at, int bits, boolean signExtended) {
    shift = at;
    width = bits;
    signed = signExtended;
  }

  void sign(boolean abs, boolean neg, long mask) {
    cleared = abs ? mask : 0;
    flipped = neg ? mask : 0;
  }

  boolean isVector() {
    return register >= 0;
  }

  boolean isScalar() {
    return code >= 0;
  }

  private long cut(long bits) {
    long value = bits >>> shift;
    if (width >= 64) {
      return value;
    }
    int unused = 64 - width;
    // what is extended is a register of 32 bits
    return signed ? value << unused >> unused & 0xffffffffL : value << unused >>> unused;
  }

  long value(Wave wave, int lane) {
    long bits;
    if (register >= 0) {
      int[] file = register < Shade.ACCUMULATORS ? wave.v : wave.a;
      int at = (register & Shade.ACCUMULATORS - 1) * Wave.LANES + lane;
      bits = file[at] & 0xffffffffL;
      if (words == 2) {
        bits |= (long) file[at + Wave.LANES] << 32;
      }
    } else if (code >= 0) {
      bits = words == 2 ? wave.s64(code) : wave.s[code] & 0xffffffffL;
    } else {
      bits = special ? special(wave) : constant;
    }
    return (cut(bits) & ~cleared) ^ flipped;
  }

  private long special(Wave wave) {
    long value = wave.special((int) constant);
    return words == 2 ? value : value & 0xffffffffL;
  }

  long undefined(Shade shade, int lane) {
    long bits = 0;
    if (register >= 0) {
      bits = shade.bits(register, lane) & 0xffffffffL;
      if (words == 2) {
        bits |= (long) shade.bits(register + 1, lane) << 32;
      }
    } else if (code >= 0) {
      bits = shade.s[code] & 0xffffffffL;
      if (words == 2) {
        bits |= (long) shade.s[code + 1] << 32;
      }
    }
    return bits == 0 ? 0 : cut(bits) & ~cleared;
  }

  /** Where the undefined bits of a lane come from. */
  int origin(Shade shade, int lane) {
    if (register >= 0) {
      boolean first = shade.bits(register, lane) != 0;
      return shade.origin(first || words == 1 ? register : register + 1, lane);
    }
    if (code >= 0) {
      return shade.originOfScalar(shade.s[code] != 0 || words == 1 ? code : code + 1);
    }
    return Origins.REGISTER;
  }

  /** The lanes in which it has anything undefined. */
  long lanes(Shade shade) {
    if (register >= 0) {
      return words == 2 ? shade.any[register] | shade.any[register + 1] : shade.any[register];
    }
    if (code >= 0) {
      return shade.s[code] != 0 || (words == 2 && shade.s[code + 1] != 0) ? -1L : 0;
    }
    return 0;
  }
}
