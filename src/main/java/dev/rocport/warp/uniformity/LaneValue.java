package dev.rocport.warp.uniformity;

/**
 * The abstract value of an expression in device code: an element of a lattice. {@link #NONE} is its
 * bottom; a value of a kind is below {@link Kind#OTHER} with the same uniformity or a wider one.
 *
 * @param number a constant's value; the divisor or modulus of a lane or group
 */
public record LaneValue(Kind kind, long number, Uniformity uniformity) {
  /** What it is. */
  public enum Kind {
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

  public static final LaneValue NONE = new LaneValue(Kind.NONE, 0, Uniformity.BLOCK);

  public static final LaneValue UNIFORM = new LaneValue(Kind.OTHER, 0, Uniformity.BLOCK);

  public static LaneValue of(Uniformity uniformity) {
    return new LaneValue(Kind.OTHER, 0, uniformity);
  }

  public static LaneValue constant(long number) {
    return new LaneValue(Kind.CONSTANT, number, Uniformity.BLOCK);
  }

  public static LaneValue of(Kind kind, long number) {
    return new LaneValue(
        kind,
        number,
        switch (kind) {
          case CONSTANT, WIDTH, BLOCK, FIRST, TEAM, OTHER, NONE -> Uniformity.BLOCK;
          case GROUP ->
              number % 64 == 0
                  ? Uniformity.WAVE
                  : number % 32 == 0 ? Uniformity.WARP : Uniformity.LANE;
          case ROW -> Uniformity.WARP;
          case THREAD, COLUMN, GLOBAL, LANE -> Uniformity.LANE;
        });
  }

  public boolean isNone() {
    return kind == Kind.NONE;
  }

  public boolean isConstant() {
    return kind == Kind.CONSTANT;
  }

  /** A number of the thread that no other thread of the block has. */
  public boolean isThread() {
    return kind == Kind.THREAD || kind == Kind.GLOBAL;
  }

  /** The least upper bound of both values. */
  public LaneValue join(LaneValue other) {
    if (isNone() || equals(other)) {
      return other;
    }
    return other.isNone() ? this : of(uniformity.join(other.uniformity));
  }

  public LaneValue atLeast(Uniformity least) {
    return isNone() || uniformity.compareTo(least) >= 0 ? this : of(least);
  }
}
