package dev.rocport.warp.proof;

/** An associative and commutative operation. */
enum Reduction {
  ADD("sum"),
  MIN("minimum"),
  MAX("maximum"),
  AND("bitwise and"),
  OR("bitwise or"),
  XOR("bitwise exclusive or");

  private final String title;

  Reduction(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** True if floating-point operands may be combined in any order with the same bits. */
  boolean isExactForFloats() {
    return this == MIN || this == MAX;
  }
}
