package dev.rocport.singlesource;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The branches of a conditional whose conditions on gates are decided.
 *
 * @param open those that remain
 * @param dead those that are never taken
 * @param bare only one remains and is always taken: the conditional is not needed
 */
record DecidedBranches<B>(List<B> open, List<B> dead, boolean bare) {
  /** Decides the condition of a branch. */
  interface Truth<B> {
    /**
     * Whether the branch is taken if it is reached; null if that is open.
     *
     * @param first no branch before it remains
     */
    @Nullable Boolean of(B branch, boolean first);
  }

  static <B> DecidedBranches<B> of(List<B> branches, Truth<B> truth) {
    List<B> open = new ArrayList<>();
    List<B> dead = new ArrayList<>();
    boolean decided = false;
    for (B b : branches) {
      Boolean taken = truth.of(b, open.isEmpty());
      if (decided || (taken != null && !taken)) {
        dead.add(b);
      } else {
        open.add(b);
        decided = taken != null && taken;
      }
    }
    return new DecidedBranches<>(open, dead, decided && open.size() == 1);
  }

  /** Whether no gate is in the conditions. */
  boolean isUnchanged() {
    return dead.isEmpty() && !bare;
  }
}
