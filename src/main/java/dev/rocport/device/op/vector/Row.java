package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Where an operand's rows are: an array that depends on the wave, an offset that does not. */
final class Row {
  private enum Place {
    VECTOR,
    ACCUMULATOR,
    CONSTANT,
    TEMPORARY,
    /** A scalar, spread over temporary rows each time it is read. */
    SCALAR,
    SPECIAL
  }

  private record Constant(long bits, int words) {}

  private static final Map<Constant, int[]> CONSTANTS = new ConcurrentHashMap<>();
  private static final int[] NOTHING = new int[0];

  private final Place place;
  private final int code;
  private final int words;
  private final int[] constant;
  final int offset;

  private Row(Place place, int code, int words, int[] constant, int offset) {
    this.place = place;
    this.code = code;
    this.words = words;
    this.constant = constant;
    this.offset = offset;
  }

  /** Temporary rows from number {@code row} up. */
  static Row temporary(int row) {
    return new Row(Place.TEMPORARY, 0, 0, NOTHING, row * Wave.LANES);
  }

  /** A number in all lanes. */
  static Row constant(long bits, int words) {
    return new Row(
        Place.CONSTANT,
        0,
        words,
        CONSTANTS.computeIfAbsent(new Constant(bits, words), Row::spread),
        0);
  }

  /** One row with a number for each lane. */
  static Row constant(int[] lanes) {
    return new Row(Place.CONSTANT, 0, 1, lanes, 0);
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
          new Row(Place.VECTOR, 0, type.dwords(), NOTHING, register * Wave.LANES);
      case Operand.Accumulator(int register, int _) ->
          new Row(Place.ACCUMULATOR, 0, type.dwords(), NOTHING, register * Wave.LANES);
      case Operand.Scalar(int code, int _) ->
          new Row(Place.SCALAR, code, type.dwords(), NOTHING, spread);
      case Operand.Special(int code) ->
          code == 239 ? null : new Row(Place.SPECIAL, code, type.dwords(), NOTHING, spread);
      case Operand.Inline _, Operand.Literal _ -> constant(type.constant(operand), type.dwords());
      case Operand.Immediate _, Operand.Off _ -> null;
    };
  }

  /** The rows without the first {@code words}. */
  Row plus(int words) {
    return switch (place) {
      case SCALAR ->
          new Row(place, code + words, this.words - words, constant, offset + words * Wave.LANES);
      default -> new Row(place, code, this.words - words, constant, offset + words * Wave.LANES);
    };
  }

  /** Whether this begins at the same row of the same array. */
  boolean overlaps(Row other) {
    return place == other.place && offset == other.offset;
  }

  boolean isVector() {
    return place == Place.VECTOR;
  }

  /** The array in which the rows are, which are there when this returns. */
  int[] array(Wave wave) {
    return switch (place) {
      case VECTOR -> wave.v;
      case CONSTANT -> constant;
      case TEMPORARY -> wave.temporaries.rows;
      case ACCUMULATOR -> wave.a;
      case SCALAR -> {
        int[] rows = wave.temporaries.rows;
        for (int i = 0; i < words; i++) {
          fill(rows, i, wave.s[code + i]);
        }
        yield rows;
      }
      case SPECIAL -> {
        long value = special(wave);
        int[] rows = wave.temporaries.rows;
        for (int i = 0; i < words; i++) {
          fill(rows, i, (int) (value >>> (32 * i)));
        }
        yield rows;
      }
    };
  }

  /** Lane 0, without spreading a scalar. */
  int first(Wave wave) {
    return switch (place) {
      case VECTOR -> wave.v[offset];
      case CONSTANT -> constant[offset];
      case TEMPORARY -> wave.temporaries.rows[offset];
      case ACCUMULATOR -> wave.a[offset];
      case SCALAR -> wave.s[code];
      case SPECIAL -> (int) special(wave);
    };
  }

  private void fill(int[] rows, int word, int value) {
    Splat.fill(rows, offset + word * Wave.LANES, value);
  }

  /** Apertures are in the high word, so that reading 32 bits gives 0. */
  private long special(Wave wave) {
    return switch (code) {
      case 235 -> (long) Wave.SHARED_APERTURE << 32;
      case 236 -> (long) Wave.SHARED_APERTURE << 32 | 0xffffffffL;
      case 237 -> (long) Wave.PRIVATE_APERTURE << 32;
      case 238 -> (long) Wave.PRIVATE_APERTURE << 32 | 0xffffffffL;
      case 251 -> wave.vcc() == 0 ? 1 : 0;
      case 252 -> wave.exec() == 0 ? 1 : 0;
      case 253 -> wave.scc;
      default -> throw new IllegalStateException("no special operand " + code);
    };
  }
}
