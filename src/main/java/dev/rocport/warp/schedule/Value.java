package dev.rocport.warp.schedule;

/**
 * The abstract value of an expression in device code: an element of a lattice. {@link #NONE} is its
 * bottom; a value of a kind is below {@link Kind#OTHER} with the same spread or a wider one.
 *
 * @param number a constant's value; the divisor or modulus of a lane or group
 */
record Value(Kind kind, long number, Spread spread) {
  /** The size of the groups of adjacent threads that have the same value. */
  enum Spread {
    /** All threads of a block have it. */
    BLOCK,
    /** All lanes of a wave of 64 have it. */
    WAVE,
    /** All lanes of a warp of 32 have it; the two warps in a wave may differ. */
    WARP,
    /** Lanes of a warp may differ. */
    LANE;

    Spread or(Spread other) {
      return compareTo(other) >= 0 ? this : other;
    }
  }

  /** What it is. */
  enum Kind {
    CONSTANT,
    /** The thread's number in the block. */
    THREAD,
    /** {@code threadIdx.x} where the block has more dimensions. */
    COLUMN,
    /** The thread's number in the grid. */
    GLOBAL,
    /** The thread's number modulo {@code number}. */
    LANE,
    /** The thread's number divided by {@code number}. */
    GROUP,
    /** {@code blockDim.x}. */
    WIDTH,
    /** {@code threadIdx.y} times {@code blockDim.x}. */
    ROW,
    /** {@code blockIdx}, one of its parts. */
    BLOCK,
    /** A multiple of {@code blockDim.x}: for example, the index of the first thread of a block. */
    FIRST,
    /** A cooperative group of {@code number} threads; 0 for the block, -1 for the grid. */
    TEAM,
    OTHER,
    /** Nothing has given it a value yet. */
    NONE
  }

  static final Value NONE = new Value(Kind.NONE, 0, Spread.BLOCK);

  static final Value UNIFORM = new Value(Kind.OTHER, 0, Spread.BLOCK);

  static Value of(Spread spread) {
    return new Value(Kind.OTHER, 0, spread);
  }

  static Value constant(long number) {
    return new Value(Kind.CONSTANT, number, Spread.BLOCK);
  }

  static Value of(Kind kind, long number) {
    return new Value(
        kind,
        number,
        switch (kind) {
          case CONSTANT, WIDTH, BLOCK, FIRST, TEAM, OTHER, NONE -> Spread.BLOCK;
          case GROUP ->
              number % 64 == 0 ? Spread.WAVE : number % 32 == 0 ? Spread.WARP : Spread.LANE;
          case ROW -> Spread.WARP;
          case THREAD, COLUMN, GLOBAL, LANE -> Spread.LANE;
        });
  }

  boolean isNone() {
    return kind == Kind.NONE;
  }

  boolean isConstant() {
    return kind == Kind.CONSTANT;
  }

  /** A number of the thread that no other thread of the block has. */
  boolean isThread() {
    return kind == Kind.THREAD || kind == Kind.GLOBAL;
  }

  /** The least upper bound of both values. */
  Value join(Value other) {
    if (isNone() || equals(other)) {
      return other;
    }
    return other.isNone() ? this : of(spread.or(other.spread));
  }

  Value atLeast(Spread least) {
    return isNone() || spread.compareTo(least) >= 0 ? this : of(least);
  }
}
