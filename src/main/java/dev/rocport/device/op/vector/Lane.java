package dev.rocport.device.op.vector;

/**
 * What an opcode computes in one lane, from the bits of its sources to the bits of its result. A
 * value of 32 bits comes zero extended; of a result only as many bits count as the destination has.
 */
@FunctionalInterface
interface Lane {
  /**
   * The bits of the result.
   *
   * @param bit the lane's bit of the mask that the opcode takes: carry in, the choice of
   *     v_cndmask_b32, the scale of v_div_fmas; false where it takes none
   */
  long apply(long a, long b, long c, boolean bit);

  @FunctionalInterface
  interface Int1 {
    int apply(int a);
  }

  @FunctionalInterface
  interface Int2 {
    int apply(int a, int b);
  }

  @FunctionalInterface
  interface Int3 {
    int apply(int a, int b, int c);
  }

  @FunctionalInterface
  interface Long1 {
    long apply(long a);
  }

  @FunctionalInterface
  interface Long2 {
    long apply(long a, long b);
  }

  @FunctionalInterface
  interface Long3 {
    long apply(long a, long b, long c);
  }

  @FunctionalInterface
  interface Float1 {
    float apply(float a);
  }

  @FunctionalInterface
  interface Float2 {
    float apply(float a, float b);
  }

  @FunctionalInterface
  interface Float3 {
    float apply(float a, float b, float c);
  }

  @FunctionalInterface
  interface Double1 {
    double apply(double a);
  }

  @FunctionalInterface
  interface Double2 {
    double apply(double a, double b);
  }

  @FunctionalInterface
  interface Double3 {
    double apply(double a, double b, double c);
  }

  static Lane ints(Int1 f) {
    return (a, b, c, bit) -> f.apply((int) a);
  }

  static Lane ints(Int2 f) {
    return (a, b, c, bit) -> f.apply((int) a, (int) b);
  }

  static Lane ints(Int3 f) {
    return (a, b, c, bit) -> f.apply((int) a, (int) b, (int) c);
  }

  /** On bits as they come: unsigned numbers of 32 bits, or numbers of 64 bits. */
  static Lane longs(Long1 f) {
    return (a, b, c, bit) -> f.apply(a);
  }

  static Lane longs(Long2 f) {
    return (a, b, c, bit) -> f.apply(a, b);
  }

  static Lane longs(Long3 f) {
    return (a, b, c, bit) -> f.apply(a, b, c);
  }

  static Lane floats(Float1 f) {
    return (a, b, c, bit) -> Float.floatToRawIntBits(f.apply(Float.intBitsToFloat((int) a)));
  }

  static Lane floats(Float2 f) {
    return (a, b, c, bit) ->
        Float.floatToRawIntBits(
            f.apply(Float.intBitsToFloat((int) a), Float.intBitsToFloat((int) b)));
  }

  static Lane floats(Float3 f) {
    return (a, b, c, bit) ->
        Float.floatToRawIntBits(
            f.apply(
                Float.intBitsToFloat((int) a),
                Float.intBitsToFloat((int) b),
                Float.intBitsToFloat((int) c)));
  }

  static Lane doubles(Double1 f) {
    return (a, b, c, bit) -> Double.doubleToRawLongBits(f.apply(Double.longBitsToDouble(a)));
  }

  static Lane doubles(Double2 f) {
    return (a, b, c, bit) ->
        Double.doubleToRawLongBits(f.apply(Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
  }

  static Lane doubles(Double3 f) {
    return (a, b, c, bit) ->
        Double.doubleToRawLongBits(
            f.apply(
                Double.longBitsToDouble(a),
                Double.longBitsToDouble(b),
                Double.longBitsToDouble(c)));
  }

  /** On the low halves, as floats, exactly; the result rounded to a half in the low half. */
  static Lane halves(Float1 f) {
    return (a, b, c, bit) -> Half.bits(f.apply(Half.value(a)));
  }

  /** The same of two; of several NaNs the first source counts. */
  static Lane halves(Float2 f) {
    return (a, b, c, bit) -> {
      float x = Half.value(a);
      float y = Half.value(b);
      return Half.bits(Float.isNaN(x) ? x : Float.isNaN(y) ? y : f.apply(x, y));
    };
  }
}
