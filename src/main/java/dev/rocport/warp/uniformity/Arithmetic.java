package dev.rocport.warp.uniformity;

import dev.rocport.warp.uniformity.LaneValue.Kind;
import java.util.List;

/** Operations on abstract values. */
final class Arithmetic {
  private Arithmetic() {}

  static LaneValue literal(String text) {
    if (text.equals("true") || text.equals("false")) {
      return LaneValue.constant(text.equals("true") ? 1 : 0);
    }
    int end = text.length();
    while (end > 0 && "uUlL".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    if (end == 0 || !Character.isDigit(text.charAt(0)) || text.indexOf('.') >= 0) {
      return LaneValue.UNIFORM;
    }
    try {
      return LaneValue.constant(Long.decode(text.substring(0, end).replace("'", "")));
    } catch (NumberFormatException e) {
      return LaneValue.UNIFORM;
    }
  }

  /** The join of the spreads of other values; bottom while one of them is bottom. */
  static LaneValue plain(List<LaneValue> parts) {
    Uniformity uniformity = Uniformity.BLOCK;
    for (LaneValue part : parts) {
      if (part.isNone()) {
        return LaneValue.NONE;
      }
      uniformity = uniformity.join(part.uniformity());
    }
    return LaneValue.of(uniformity);
  }

  static LaneValue sum(LaneValue x, LaneValue y, Uniformity uniformity) {
    if (x.isConstant() && y.isConstant()) {
      return LaneValue.constant(x.number() + y.number());
    }
    boolean first = x.uniformity() == Uniformity.LANE;
    LaneValue thread = first ? x : y;
    LaneValue other = first ? y : x;
    if (thread.kind() == Kind.COLUMN && other.kind() == Kind.ROW) {
      return LaneValue.of(Kind.THREAD, 0);
    }
    boolean numbered =
        thread.kind() == Kind.THREAD
            || thread.kind() == Kind.COLUMN
            || thread.kind() == Kind.GLOBAL;
    if (numbered && other.kind() == Kind.FIRST) {
      return LaneValue.of(thread.kind() == Kind.COLUMN ? Kind.COLUMN : Kind.GLOBAL, 0);
    }
    return x.kind() == Kind.FIRST && y.kind() == Kind.FIRST ? x : LaneValue.of(uniformity);
  }

  static LaneValue product(LaneValue x, LaneValue y, Uniformity uniformity) {
    if (x.isConstant() && y.isConstant()) {
      return LaneValue.constant(x.number() * y.number());
    }
    if (uniformity == Uniformity.BLOCK) {
      return isFirst(x, y) || isFirst(y, x) ? LaneValue.of(Kind.FIRST, 0) : LaneValue.UNIFORM;
    }
    boolean row =
        (x.kind() == Kind.WIDTH && y.uniformity() == Uniformity.WARP)
            || (y.kind() == Kind.WIDTH && x.uniformity() == Uniformity.WARP);
    return row ? LaneValue.of(Kind.ROW, 0) : LaneValue.of(uniformity);
  }

  /**
   * True if a product is a multiple of a block's width. A block's number is multiplied by the
   * threads of a block in practice, whatever name or constant they have.
   */
  static boolean isFirst(LaneValue x, LaneValue y) {
    return x.kind() == Kind.WIDTH
        || x.kind() == Kind.FIRST
        || (x.kind() == Kind.BLOCK && (!y.isConstant() || y.number() % 64 == 0));
  }

  static LaneValue divided(LaneValue x, long by) {
    if (by <= 0) {
      return LaneValue.of(x.uniformity());
    }
    if (x.isConstant()) {
      return LaneValue.constant(x.number() / by);
    }
    return switch (x.kind()) {
      case THREAD, GLOBAL, COLUMN -> LaneValue.of(Kind.GROUP, by);
      case GROUP -> LaneValue.of(Kind.GROUP, x.number() * by);
      default -> LaneValue.of(x.uniformity());
    };
  }

  static LaneValue modulo(LaneValue x, long by) {
    if (by <= 0) {
      return LaneValue.of(x.uniformity());
    }
    if (x.isConstant()) {
      return LaneValue.constant(x.number() % by);
    }
    return switch (x.kind()) {
      case THREAD, GLOBAL, COLUMN -> LaneValue.of(Kind.LANE, by);
      case LANE -> LaneValue.of(Kind.LANE, Math.min(by, x.number()));
      default -> LaneValue.of(x.uniformity());
    };
  }

  /** How far a comparison spreads: all threads below a multiple of 64 are in the same waves. */
  static Uniformity split(LaneValue x, LaneValue y, int more, Uniformity uniformity) {
    LaneValue counted = x.isConstant() ? y : x;
    LaneValue bound = x.isConstant() ? x : y;
    if (!bound.isConstant()) {
      return uniformity;
    }
    long first = bound.number() + (x.isConstant() ? 1 - more : more);
    long threads =
        switch (counted.kind()) {
          case THREAD -> first;
          case GROUP -> first * counted.number();
          default -> -1;
        };
    return threads < 0
        ? uniformity
        : threads % 64 == 0 ? Uniformity.WAVE : threads % 32 == 0 ? Uniformity.WARP : uniformity;
  }

  static LaneValue member(String name, LaneValue team, Uniformity all) {
    if (team.kind() != Kind.TEAM) {
      return name.startsWith("shfl") || name.startsWith("match") || name.equals("thread_rank")
          ? LaneValue.of(Uniformity.LANE)
          : LaneValue.of(team.uniformity().join(all));
    }
    return switch (name) {
      case "thread_rank" ->
          team.number() == 0
              ? LaneValue.of(Kind.THREAD, 0)
              : team.number() < 0
                  ? LaneValue.of(Kind.GLOBAL, 0)
                  : LaneValue.of(Kind.LANE, team.number());
      case "meta_group_rank" -> LaneValue.of(Kind.GROUP, Math.max(1, team.number()));
      case "any", "all", "ballot", "shfl" ->
          LaneValue.of(team.number() >= 32 ? Uniformity.WARP.join(all) : Uniformity.LANE);
      case "thread_index" -> LaneValue.of(Uniformity.LANE);
      case "size", "num_threads", "group_index", "meta_group_size" -> LaneValue.UNIFORM;
      default -> LaneValue.of(Uniformity.LANE);
    };
  }
}
