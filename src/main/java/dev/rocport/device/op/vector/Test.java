package dev.rocport.device.op.vector;

/** A bit that an opcode computes in each lane: the result of a comparison, a carry. */
@FunctionalInterface
interface Test {
  /** Sources as in {@link Lane}. */
  boolean test(long a, long b, long c, boolean bit);

  @FunctionalInterface
  interface Int2 {
    boolean test(int a, int b);
  }

  @FunctionalInterface
  interface Long2 {
    boolean test(long a, long b);
  }

  @FunctionalInterface
  interface Double2 {
    boolean test(double a, double b);
  }

  static Test ints(Int2 f) {
    return (a, b, c, bit) -> f.test((int) a, (int) b);
  }

  static Test longs(Long2 f) {
    return (a, b, c, bit) -> f.test(a, b);
  }

  static Test floats(Double2 f) {
    return (a, b, c, bit) -> f.test(Float.intBitsToFloat((int) a), Float.intBitsToFloat((int) b));
  }

  static Test doubles(Double2 f) {
    return (a, b, c, bit) -> f.test(Double.longBitsToDouble(a), Double.longBitsToDouble(b));
  }

  static Test halves(Double2 f) {
    return (a, b, c, bit) -> f.test(Half.value(a), Half.value(b));
  }
}
