package dev.rocport.verify.capture;

/** An argument of a kernel launch. */
sealed interface Argument {
  /**
   * A pointer to the first element of a tensor.
   *
   * @param name of the kernel's parameter
   * @param written whether the kernel writes it
   */
  record Pointer(String name, View view, boolean written) implements Argument {}

  /**
   * A number.
   *
   * @param bytes its size: 1, 2, 4 or 8
   * @param bits its bit pattern, in the low bits
   */
  record Scalar(int bytes, long bits) implements Argument {}

  /** A pointer to nothing. */
  record Absent() implements Argument {}
}
