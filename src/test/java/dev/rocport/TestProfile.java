package dev.rocport;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Says which cases a test takes: the quick profile takes a sample, the full profile takes all. */
public final class TestProfile {
  private static final boolean FULL = "full".equals(System.getProperty("rocport.profile"));

  private TestProfile() {}

  /** Whether this run takes all cases, as {@code mvn verify -Pfull} does. */
  public static boolean isFull() {
    return FULL;
  }

  /**
   * Returns all cases in the full profile, else those whose names are in a sample.
   *
   * @throws AssertionError if the sample names a case that does not exist
   */
  public static <T> List<T> sample(List<T> all, Function<T, String> name, Set<String> sample) {
    List<T> chosen = all.stream().filter(c -> sample.contains(name.apply(c))).toList();
    if (chosen.size() < sample.size()) {
      throw new AssertionError("the sample " + sample + " names cases that are not in " + all);
    }
    return FULL ? all : chosen;
  }
}
