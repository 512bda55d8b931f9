package dev.rocport.warp;

import dev.rocport.rules.PortOptions;
import dev.rocport.warp.proof.Obstacle;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/** Weighs the obstacles to wider warps. */
final class Judge {
  private final PortOptions.Warp mode;
  private final List<Obstacle> obstacles;
  private final SortedSet<Long> blocks;

  /** The obstacle that decided. */
  private final Optional<Obstacle> reason;

  private final Decision decision;

  Judge(PortOptions.Warp mode, List<Obstacle> obstacles, SortedSet<Long> blocks) {
    this.mode = mode;
    this.obstacles = obstacles;
    this.blocks = blocks;
    this.reason = reason();
    this.decision = decided();
  }

  Decision decision() {
    return decision;
  }

  private Decision decided() {
    return switch (mode) {
      case GROUPS32 -> Decision.KEEP;
      case WIDE -> reason.isPresent() ? Decision.UNSURE : Decision.WIDE;
      case AUTO ->
          obstacles.isEmpty()
              ? Decision.WIDE
              : first(Obstacle.Kind.MEANT).isPresent()
                      || first(Obstacle.Kind.ESCAPES).isPresent()
                      || first(Obstacle.Kind.FIXED).isPresent()
                      || first(Obstacle.Kind.ROUNDING).isPresent()
                  ? Decision.KEEP
                  : Decision.UNSURE;
    };
  }

  private Optional<Obstacle> first(Obstacle.Kind kind) {
    return obstacles.stream().filter(o -> o.kind() == kind).findFirst();
  }

  private Optional<Obstacle> reason() {
    return mode == PortOptions.Warp.WIDE
        ? first(Obstacle.Kind.FIXED)
            .or(() -> first(Obstacle.Kind.ESCAPES))
            .or(() -> first(Obstacle.Kind.UNWRITABLE))
        : first(Obstacle.Kind.FIXED)
            .or(() -> first(Obstacle.Kind.MEANT))
            .or(() -> first(Obstacle.Kind.ESCAPES))
            .or(() -> first(Obstacle.Kind.ROUNDING))
            .or(() -> first(Obstacle.Kind.UNWRITABLE))
            .or(() -> first(Obstacle.Kind.UNCLEAR));
  }

  /**
   * The decision and its reason.
   *
   * @param where returns the location of an obstacle
   */
  String message(String function, java.util.function.Function<Obstacle, String> where) {
    return switch (decision) {
      case WIDE ->
          mode == PortOptions.Warp.WIDE
              ? function + ": warps become waves of the target, as requested"
              : function
                  + ": warps become waves of the target; no result that is visible outside the"
                  + " kernel depends on the warp size";
      case KEEP ->
          function
              + ": groups of 32 lanes are kept"
              + reason.map(o -> ", since " + o.why() + where.apply(o)).orElse("");
      case UNSURE ->
          function
              + ": groups of 32 lanes are kept, since "
              + (mode == PortOptions.Warp.WIDE
                  ? "part of the code cannot be written for wider warps: "
                  : "it is not proven that 32 is only the hardware warp size: ")
              + reason.map(o -> o.why() + where.apply(o)).orElse("");
    };
  }

  /** The obstacle that decided, in half a sentence; empty if there is none. */
  String why(java.util.function.Function<Obstacle, String> where) {
    return reason.map(o -> o.why() + where.apply(o)).orElse("");
  }

  String advice(int ladders) {
    if (decision == Decision.WIDE) {
      return "";
    }
    StringBuilder b = new StringBuilder();
    if (!blocks.isEmpty() && blocks.first() <= 32) {
      b.append("Blocks of ")
          .append(blocks.first())
          .append(" threads leave at least half of each wave empty. ");
    }
    if (ladders > 0) {
      b.append(
          "With waves of 64 lanes, a block would have half as many partial results, and each"
              + " reduction would take one more step. ");
    }
    if (decision == Decision.UNSURE && mode != PortOptions.Warp.WIDE) {
      b.append(
          "If 32 is only the hardware warp size here, --warp wide uses the wave size of the target"
              + " instead.");
    }
    return b.toString().strip();
  }
}
