package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where an operand's rows are: an array that depends on the wave, an offset that does not.
 *
 * @param code of a scalar register, or of a special operand
 * @param words rows, 0 where that does not matter
 * @param bits of a constant
 * @param rows of a constant
 */
record Row(Place place, int code, int words, long bits, int[] rows, int offset) {
  enum Place {
    VECTOR,
    ACCUMULATOR,
    CONSTANT,
    /** A number for each lane. */
    LANES,
    TEMPORARY,
    /** A scalar, spread over temporary rows each time it is read. */
    SCALAR,
    SPECIAL
  }

  private record Constant(long bits, int words) {}

  private static final Map<Constant, int[]> CONSTANTS = new ConcurrentHashMap<>();
  private static final int[] NOTHING = new int[0];

  /** Temporary rows from number {@code row} up. */
  static Row temporary(int row) {
    return new Row(Place.TEMPORARY, 0, 0, 0, NOTHING, row * Wave.LANES);
  }

  /** A number in all lanes. */
  static Row constant(long bits, int words) {
    return new Row(
        Place.CONSTANT,
        0,
        words,
        bits,
        CONSTANTS.computeIfAbsent(new Constant(bits, words), Row::spread),
        0);
  }

  /** One row with a number for each lane. */
  static Row constant(int[] lanes) {
    return new Row(Place.LANES, 0, 1, 0, lanes, 0);
  }

  private static int[] spread(Constant value) {
    int[] rows = new int[value.words * Wave.LANES];
    Arrays.fill(rows, 0, Wave.LANES, (int) value.bits);
    Arrays.fill(rows, Wave.LANES, rows.length, (int) (value.bits >>> 32));
    return rows;
  }

  /**
   * An operand of vector instructions, or null for one that they cannot have.
   *
   * @param row the temporary rows that a scalar may use
   */
  static @Nullable Row of(Operand operand, DataType type, int row) {
    int spread = row * Wave.LANES;
    return switch (operand) {
      case Operand.Vector(int register, int _) ->
          new Row(Place.VECTOR, 0, type.dwords(), 0, NOTHING, register * Wave.LANES);
      case Operand.Accumulator(int register, int _) ->
          new Row(Place.ACCUMULATOR, 0, type.dwords(), 0, NOTHING, register * Wave.LANES);
      case Operand.Scalar(int code, int _) when code == Operand.NULL -> constant(0, type.dwords());
      case Operand.Scalar(int code, int _) ->
          new Row(Place.SCALAR, code, type.dwords(), 0, NOTHING, spread);
      case Operand.Special(int code) ->
          code == 239 ? null : new Row(Place.SPECIAL, code, type.dwords(), 0, NOTHING, spread);
      case Operand.Inline _, Operand.Literal _ -> constant(type.constant(operand), type.dwords());
      case Operand.Immediate _, Operand.Off _ -> null;
    };
  }

  /** The rows without the first {@code words}. */
  Row plus(int words) {
    boolean scalar = place == Place.SCALAR;
    return new Row(
        place,
        scalar ? code + words : code,
        this.words - words,
        words == 0 ? bits : bits >>> 32,
        rows,
        offset + words * Wave.LANES);
  }

  /** Whether this begins at the same row of the same array. */
  boolean overlaps(Row other) {
    return place == other.place && offset == other.offset;
  }

  boolean isVector() {
    return place == Place.VECTOR;
  }

  /** Whether it is one word that all lanes share. */
  private boolean isUniform() {
    return words == 1
        && (place == Place.SCALAR || place == Place.CONSTANT || place == Place.SPECIAL);
  }

  /** The array of a source of a {@link Kernel}, which is there when this returns. */
  int @Nullable [] source(Wave wave) {
    return isUniform() ? null : array(wave);
  }

  /** What goes with {@link #source}. */
  int at(Wave wave) {
    return isUniform() ? first(wave) : offset;
  }

  /** The array in which the rows are, which are there when this returns. */
  int[] array(Wave wave) {
    // Comparisons, since the compiler of the virtual machine does not see through a switch here.
    if (place == Place.VECTOR) {
      return wave.v;
    }
    if (place == Place.CONSTANT || place == Place.LANES) {
      return rows;
    }
    if (place == Place.ACCUMULATOR) {
      return wave.a;
    }
    int[] temporary = wave.temporaries.rows;
    if (place != Place.TEMPORARY) {
      spread(wave, temporary);
    }
    return temporary;
  }

  private void spread(Wave wave, int[] temporary) {
    for (int i = 0; i < words; i++) {
      int value =
          place == Place.SCALAR ? wave.s[code + i] : (int) (wave.special(code) >>> (32 * i));
      int from = offset + i * Wave.LANES;
      Arrays.fill(temporary, from, from + Wave.LANES, value);
    }
  }

  /** Lane 0, without spreading a scalar. */
  int first(Wave wave) {
    if (place == Place.SCALAR) {
      return wave.s[code];
    }
    if (place == Place.CONSTANT) {
      return (int) bits;
    }
    return place == Place.SPECIAL ? (int) wave.special(code) : array(wave)[offset];
  }
}
