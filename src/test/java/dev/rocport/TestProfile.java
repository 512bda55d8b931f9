package dev.rocport;

/** Says which cases a test takes: the quick profile takes a sample, the full profile takes all. */
public final class TestProfile {
  private static final boolean FULL = "full".equals(System.getProperty("rocport.profile"));

  private TestProfile() {}

  /** Whether this run takes all cases, as {@code mvn verify -Pfull} does. */
  public static boolean isFull() {
    return FULL;
  }
}
