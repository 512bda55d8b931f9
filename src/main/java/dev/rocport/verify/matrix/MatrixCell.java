package dev.rocport.verify.matrix;

import java.util.ArrayList;
import java.util.List;

/**
 * The smallest part of a verification that a machine can do alone: one run of one program.
 *
 * @param program name of the fixture
 * @param run name of the run within it; empty for the only one
 * @param target GPU target
 * @param seed of the order of waves on the rocport device; 0 for the fixed order
 * @param ranks MPI processes; 0 without MPI
 */
public record MatrixCell(String program, String run, String target, int seed, int ranks) {
  /** Longer names of files do not fit into all file systems. */
  private static final int LONGEST = 200;

  /** Whether the name is that of a file in a folder, and not of one elsewhere or a hidden one. */
  public boolean isFileName() {
    return !program.isEmpty()
        && !program.startsWith(".")
        && id().length() <= LONGEST
        && id().chars().noneMatch(c -> c == '/' || Character.isISOControl(c));
  }

  /** The name of the cell, which is also a name of files: {@code ring.small.gfx90a.np2.s0}. */
  public String id() {
    List<String> parts = new ArrayList<>(List.of(program));
    if (!run.isEmpty()) {
      parts.add(run);
    }
    parts.add(target);
    if (ranks > 0) {
      parts.add("np" + ranks);
    }
    parts.add("s" + seed);
    return String.join(".", parts);
  }
}
