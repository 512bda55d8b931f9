package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;

/** What a scalar instruction reads. */
sealed interface Source {
  int word(Wave wave);

  long pair(Wave wave);

  /** A scalar register. Where a pair is asked for, it is the low word, with zeros above. */
  record Register(int code) implements Source {
    @Override
    public int word(Wave wave) {
      return wave.s[code];
    }

    @Override
    public long pair(Wave wave) {
      return wave.s[code] & 0xffffffffL;
    }
  }

  /** Two scalar registers. */
  record Pair(int code) implements Source {
    @Override
    public int word(Wave wave) {
      return wave.s[code];
    }

    @Override
    public long pair(Wave wave) {
      return wave.s64(code);
    }
  }

  /** A number in the instruction. */
  record Constant(long value) implements Source {
    @Override
    public int word(Wave wave) {
      return (int) value;
    }

    @Override
    public long pair(Wave wave) {
      return value;
    }
  }

  /** Zero flags of the masks, and SCC. */
  record Flag(int code) implements Source {
    @Override
    public int word(Wave wave) {
      return (int) pair(wave);
    }

    @Override
    public long pair(Wave wave) {
      return wave.special(code);
    }
  }

  /**
   * The source for an operand.
   *
   * @param type what it is read as
   * @throws WaveTrap for what this device does not have
   */
  static Source of(Operand operand, DataType type) {
    return switch (operand) {
      case Operand.Scalar(int code, _) when code == Operand.NULL -> new Constant(0);
      case Operand.Scalar(int code, int dwords) ->
          dwords == 1 ? new Register(code) : new Pair(code);
      case Operand.Inline _, Operand.Literal _ -> new Constant(type.constant(operand));
      case Operand.Immediate(int value) -> new Constant(value);
      // The aperture is the high word of a pair; a single register would read the low one.
      case Operand.Special(int code) when code == 235 ->
          new Constant((long) Wave.SHARED_APERTURE << 32);
      case Operand.Special(int code) when code == 236 ->
          new Constant((long) Wave.SHARED_APERTURE << 32 | 0xffffffffL);
      case Operand.Special(int code) when code == 237 ->
          new Constant((long) Wave.PRIVATE_APERTURE << 32);
      case Operand.Special(int code) when code == 238 ->
          new Constant((long) Wave.PRIVATE_APERTURE << 32 | 0xffffffffL);
      case Operand.Special(int code) when code >= 251 && code <= 253 -> new Flag(code);
      case Operand.Special(int code) ->
          throw WaveTrap.missing("this device does not have the scalar source " + code);
      default -> throw new IllegalArgumentException("not a scalar source: " + operand);
    };
  }
}
