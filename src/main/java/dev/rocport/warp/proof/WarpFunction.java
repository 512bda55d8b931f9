package dev.rocport.warp.proof;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A CUDA warp function.
 *
 * @param kind its operation
 * @param wide the name in {@code rocport::wave}
 * @param masked true if the first argument is the mask
 * @param width index of the width argument, or -1
 */
public record WarpFunction(Kind kind, String wide, boolean masked, int width) {
  /** What they do. */
  public enum Kind {
    SHUFFLE,
    SHUFFLE_UP,
    SHUFFLE_DOWN,
    SHUFFLE_XOR,
    BALLOT,
    VOTE,
    MATCH_ANY,
    MATCH_ALL,
    REDUCE,
    ACTIVE,
    SYNC,
    /** A function of a library that all lanes of a warp call together. */
    COLLECTIVE
  }

  private static final Map<String, WarpFunction> ALL =
      Map.ofEntries(
          Map.entry("__shfl_sync", new WarpFunction(Kind.SHUFFLE, "shfl_sync", true, 3)),
          Map.entry("__shfl_up_sync", new WarpFunction(Kind.SHUFFLE_UP, "shfl_up_sync", true, 3)),
          Map.entry(
              "__shfl_down_sync", new WarpFunction(Kind.SHUFFLE_DOWN, "shfl_down_sync", true, 3)),
          Map.entry(
              "__shfl_xor_sync", new WarpFunction(Kind.SHUFFLE_XOR, "shfl_xor_sync", true, 3)),
          Map.entry("__shfl", new WarpFunction(Kind.SHUFFLE, "shfl", false, 2)),
          Map.entry("__shfl_up", new WarpFunction(Kind.SHUFFLE_UP, "shfl_up", false, 2)),
          Map.entry("__shfl_down", new WarpFunction(Kind.SHUFFLE_DOWN, "shfl_down", false, 2)),
          Map.entry("__shfl_xor", new WarpFunction(Kind.SHUFFLE_XOR, "shfl_xor", false, 2)),
          Map.entry("__ballot_sync", new WarpFunction(Kind.BALLOT, "ballot_sync", true, -1)),
          Map.entry("__ballot", new WarpFunction(Kind.BALLOT, "ballot", false, -1)),
          Map.entry("__any_sync", new WarpFunction(Kind.VOTE, "any_sync", true, -1)),
          Map.entry("__all_sync", new WarpFunction(Kind.VOTE, "all_sync", true, -1)),
          Map.entry("__uni_sync", new WarpFunction(Kind.VOTE, "uni_sync", true, -1)),
          Map.entry("__any", new WarpFunction(Kind.VOTE, "any", false, -1)),
          Map.entry("__all", new WarpFunction(Kind.VOTE, "all", false, -1)),
          Map.entry(
              "__match_any_sync", new WarpFunction(Kind.MATCH_ANY, "match_any_sync", true, -1)),
          Map.entry(
              "__match_all_sync", new WarpFunction(Kind.MATCH_ALL, "match_all_sync", true, -1)),
          Map.entry(
              "__reduce_add_sync", new WarpFunction(Kind.REDUCE, "reduce_add_sync", true, -1)),
          Map.entry(
              "__reduce_min_sync", new WarpFunction(Kind.REDUCE, "reduce_min_sync", true, -1)),
          Map.entry(
              "__reduce_max_sync", new WarpFunction(Kind.REDUCE, "reduce_max_sync", true, -1)),
          Map.entry(
              "__reduce_and_sync", new WarpFunction(Kind.REDUCE, "reduce_and_sync", true, -1)),
          Map.entry("__reduce_or_sync", new WarpFunction(Kind.REDUCE, "reduce_or_sync", true, -1)),
          Map.entry(
              "__reduce_xor_sync", new WarpFunction(Kind.REDUCE, "reduce_xor_sync", true, -1)),
          Map.entry("__activemask", new WarpFunction(Kind.ACTIVE, "activemask", false, -1)),
          Map.entry("__syncwarp", new WarpFunction(Kind.SYNC, "syncwarp", true, -1)));

  private static final WarpFunction COLLECTIVE = new WarpFunction(Kind.COLLECTIVE, "", false, -1);

  /** The function of that name; null for other names. */
  public static @Nullable WarpFunction of(String name) {
    WarpFunction known = ALL.get(name);
    return known == null && name.startsWith("nvshmemx_") && name.endsWith("_warp")
        ? COLLECTIVE
        : known;
  }

  /** The operation of a {@code __reduce_*_sync}. */
  Reduction reduction() {
    return switch (wide) {
      case "reduce_min_sync" -> Reduction.MIN;
      case "reduce_max_sync" -> Reduction.MAX;
      case "reduce_and_sync" -> Reduction.AND;
      case "reduce_or_sync" -> Reduction.OR;
      case "reduce_xor_sync" -> Reduction.XOR;
      default -> Reduction.ADD;
    };
  }
}
