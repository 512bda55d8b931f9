package dev.rocport.assess;

import dev.rocport.core.result.Finding;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Some of the findings of a file, for a {@link Baseline} that was made from all of them. A
 * fingerprint has the number of the finding among those in equal lines, so a new line above an old
 * one takes the old fingerprint. If a baseline does not list all of such findings, those that are
 * left are the first to get the fingerprints that are new.
 */
public final class PartOfFindings {
  private PartOfFindings() {}

  /**
   * Returns the findings that are left.
   *
   * @param known fingerprints that the baseline lists; none without a baseline
   */
  public static List<Finding> of(
      List<Finding> findings, Predicate<Finding> isLeft, Set<String> known) {
    if (known.isEmpty()) {
      return findings.stream().filter(isLeft).toList();
    }
    Map<List<String>, Deque<String>> alike = new HashMap<>();
    for (Finding f : findings) {
      Deque<String> fingerprints = alike.computeIfAbsent(place(f), p -> new ArrayDeque<>());
      if (known.contains(f.fingerprint())) {
        fingerprints.addLast(f.fingerprint());
      } else {
        fingerprints.addFirst(f.fingerprint());
      }
    }
    return findings.stream()
        .filter(isLeft)
        .map(f -> f.with(Objects.requireNonNull(alike.get(place(f))).removeFirst()))
        .toList();
  }

  /** What findings with fingerprints of the same line have in common. */
  private static List<String> place(Finding f) {
    return List.of(f.rule(), f.snippet().replaceAll("\\s+", ""));
  }
}
