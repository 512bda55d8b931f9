package dev.rocport.warp.proof;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known about a value as a function of W, the number of lanes in a warp. */
sealed interface Value {
  /** The same whatever W is. */
  record Plain(boolean uniform) implements Value {
    static final Value UNIFORM = new Plain(true);
    static final Value VARYING = new Plain(false);
  }

  /**
   * A constant of the source.
   *
   * @param origin its origin
   */
  record Const(long value, Origin origin) implements Value {}

  /** The least or greatest value of a type: what a maximum or minimum starts from. */
  record Extreme(boolean least) implements Value {}

  /** An array in shared memory. */
  record Shared(String key) implements Value {}

  /** The thread's linear index in its block of one dimension. */
  record ThreadIndex() implements Value {}

  /** The index of the block's first thread in the grid. */
  record BlockStart() implements Value {}

  /** The thread's index in the grid. */
  record Global() implements Value {}

  /** Threads of a block. */
  record BlockSize() implements Value {}

  /** Blocks of the grid. */
  record GridBlocks() implements Value {}

  /** Threads of the grid. */
  record GridSize() implements Value {}

  /** Thread modulo W. */
  record Lane() implements Value {}

  /** Thread / W. */
  record Warp() implements Value {}

  /** Index in the grid / W. */
  record GlobalWarp() implements Value {}

  /** Thread - Lane. */
  record WarpBase() implements Value {}

  /** Warps of a block. */
  record Warps() implements Value {}

  /** Warps of the grid. */
  record GridWarps() implements Value {}

  /** The index in the grid of the block's first warp. */
  record FirstWarp() implements Value {}

  /** One of the numbers that the warps share out among them: one warp has it, whatever W is. */
  record Row() implements Value {}

  /** Lanes as bits. */
  record Mask(Kind kind, int id) implements Value {
    /** Which lanes. */
    enum Kind {
      FULL,
      /** Those with a property: a vote, a match, the active ones. */
      VOTE,
      /** Those below the own. */
      LOWER,
      /** The own. */
      OWN,
      /** Those of a vote below the own. */
      VOTE_LOWER,
      OTHER
    }
  }

  /** A mask shifted so that the own lane is bit 0. */
  record OwnBit() implements Value {}

  /** Lowest lane of a vote; {@code plusOne} as {@code __ffs} counts. */
  record Leader(int vote, boolean plusOne) implements Value {}

  /** Number of lanes of a vote. */
  record Count(int vote) implements Value {}

  /** Number of lanes of a vote below the own. */
  record Rank(int vote) implements Value {}

  /**
   * Where a vote's lanes find room that one of them took for all.
   *
   * @param in which lanes have it
   */
  record Room(int vote, In in) implements Value {
    /** Lanes that know where the room is. */
    enum In {
      LEADER,
      LANE0,
      ALL
    }
  }

  /** The own place in that room. */
  record Slot(int vote) implements Value {}

  /**
   * A reduction over the warp.
   *
   * @param everywhere false if only lane 0 has it
   * @param type null if it is not known, or too wide for it to matter
   */
  record Part(Reduction op, boolean everywhere, @Nullable IntType type) implements Value {}

  /** In warp 0: the reductions of the block's warps, one per lane, followed by the identity. */
  record Parts(Reduction op, @Nullable IntType type) implements Value {}

  /** A reduction over the block, valid in thread 0, or in warp 0. */
  record Total(boolean wholeWarp) implements Value {}

  /** A truth. */
  record Condition(List<Guard> yes, List<Guard> no) implements Value {}

  /** Depends on W in an unknown way. */
  record Unknown(String what) implements Value {}

  /** True for what does not depend on W. */
  default boolean isPlain() {
    return switch (this) {
      case Plain p -> true;
      case Const c -> true;
      case Extreme e -> true;
      case Shared s -> true;
      case ThreadIndex t -> true;
      case BlockStart b -> true;
      case Global g -> true;
      case BlockSize s -> true;
      case GridBlocks b -> true;
      case GridSize s -> true;
      case Condition c -> Guard.arePlain(c.yes()) && Guard.arePlain(c.no());
      default -> false;
    };
  }

  /** True for what all threads of a block have alike, whatever W is. */
  default boolean isUniform() {
    return switch (this) {
      case Plain p -> p.uniform();
      case Const c -> true;
      case Extreme e -> true;
      case Shared s -> true;
      case BlockStart b -> true;
      case BlockSize s -> true;
      case GridBlocks b -> true;
      case GridSize s -> true;
      case Condition c -> Guard.areUniform(c.yes());
      default -> false;
    };
  }

  /** What it is, for people. */
  default String what() {
    return switch (this) {
      case Lane l -> "a lane number";
      case Warp w -> "a warp's index in the block";
      case GlobalWarp w -> "a warp's index in the grid";
      case WarpBase w -> "the first thread of a warp";
      case Warps w -> "the number of warps in a block";
      case GridWarps w -> "the number of warps in the grid";
      case FirstWarp w -> "the index of the block's first warp";
      case Row r -> "the index of an element that one warp processes";
      case Mask m -> "a lane mask";
      case Leader l -> "the leader of a vote";
      case Count c -> "the number of lanes of a vote";
      case Rank r -> "a lane's rank in a vote";
      case Room r -> "the range that one lane reserved for its warp";
      case Slot s -> "a slot in the range that one lane reserved for its warp";
      case Part p -> "a warp's " + p.op().title();
      case Parts p -> "the warps' " + p.op().title();
      case Total t -> "the block's result in its first lanes";
      case Condition c -> "a condition on lanes or warps";
      case OwnBit b -> "a bit of a lane mask";
      case Unknown u -> u.what();
      default -> "a plain value";
    };
  }
}
