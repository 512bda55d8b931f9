package dev.rocport.warp.proof;

import java.util.List;

/** The condition under which code runs. */
sealed interface Guard {
  /** For all threads of the block or for none. */
  record Uniform() implements Guard {}

  /** For some threads, whatever W is. */
  record Varying() implements Guard {}

  /** In lane 0 of each warp. */
  record Lane0() implements Guard {}

  /** In the lanes of warp 0. */
  record Warp0() implements Guard {}

  /** In as many lanes or threads as there are warps in the block. */
  record FirstOnes() implements Guard {}

  record Thread0() implements Guard {}

  /** In the lowest lane of a vote. */
  record Leader(int vote) implements Guard {}

  /** In the lanes of a vote. */
  record Member(int vote) implements Guard {}

  /** In the warps where some lane voted for it. */
  record Some(int vote) implements Guard {}

  /** In the warps where no lane did. */
  record None(int vote) implements Guard {}

  /** Once for each of the numbers that the warps share out among them, in all lanes of a warp. */
  record Rows() implements Guard {}

  /** In threads that depend on W. */
  record Opaque(String why) implements Guard {}

  Guard UNIFORM = new Uniform();
  Guard VARYING = new Varying();

  /** True if who runs does not depend on W. */
  static boolean arePlain(List<Guard> guards) {
    boolean lane0 = false;
    boolean warp0 = false;
    boolean thread0 = false;
    for (Guard g : guards) {
      switch (g) {
        case Uniform u -> {}
        case Varying v -> {}
        case Member m -> {}
        case Thread0 t -> thread0 = true;
        case Lane0 l -> lane0 = true;
        case Warp0 w -> warp0 = true;
        default -> {
          return false;
        }
      }
    }
    return thread0 || lane0 == warp0;
  }

  static boolean areUniform(List<Guard> guards) {
    for (Guard g : guards) {
      if (!(g instanceof Uniform)) {
        return false;
      }
    }
    return true;
  }

  /** True if whole warps run, or none of their lanes. */
  static boolean areWholeWarps(List<Guard> guards) {
    return guards.stream()
        .allMatch(
            g ->
                g instanceof Uniform
                    || g instanceof Warp0
                    || g instanceof Rows
                    || g instanceof Some
                    || g instanceof None);
  }

  /** True if at most the block's first thread runs. */
  static boolean isThread0(List<Guard> guards) {
    return has(guards, Thread0.class) || (has(guards, Lane0.class) && has(guards, Warp0.class));
  }

  static boolean has(List<Guard> guards, Class<? extends Guard> kind) {
    for (Guard g : guards) {
      if (kind.isInstance(g)) {
        return true;
      }
    }
    return false;
  }
}
