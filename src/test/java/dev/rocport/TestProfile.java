package dev.rocport;

import java.util.List;

/** Says which cases a test takes: the quick profile takes a sample, the full profile takes all. */
public final class TestProfile {
  private static final boolean FULL = "full".equals(System.getProperty("rocport.profile"));

  private static final List<String> TARGETS = List.of("gfx90a", "gfx942");

  private TestProfile() {}

  /**
   * The targets that a program is built for and runs on: all in the full profile; in the quick
   * profile one, the other one for the next program.
   */
  public static List<String> targets(int program) {
    return FULL ? TARGETS : List.of(TARGETS.get(program % TARGETS.size()));
  }

  /** Whether this run takes all cases, as {@code mvn verify -Pfull} does. */
  public static boolean isFull() {
    return FULL;
  }
}
