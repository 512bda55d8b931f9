package dev.rocport.conformance;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a quick run of a suite has.
 *
 * @param tests about how many
 * @param names of the tests that it is taken from
 */
public record Sample(int tests, Pattern names) {
  private static final Pattern ALL = Pattern.compile(".*");

  /** A sample of all tests. */
  static Sample of(int tests) {
    return new Sample(tests, ALL);
  }

  /** The tests that it is taken from. */
  List<TestCase> from(List<TestCase> all) {
    return all.stream().filter(t -> names.matcher(t.name()).matches()).toList();
  }
}
