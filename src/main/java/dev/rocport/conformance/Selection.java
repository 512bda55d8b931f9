package dev.rocport.conformance;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Which tests of a suite run.
 *
 * @param quick a sample instead of all tests
 * @param shard the number of this shard, from 1
 * @param shards how many shards the tests are divided into
 * @param names is found in the names of those that run; empty for any name
 */
public record Selection(boolean quick, int shard, int shards, Optional<Pattern> names) {
  private static final Pattern SHARD = Pattern.compile("(\\d{1,4})/(\\d{1,4})");

  public Selection {
    if (shard < 1 || shard > shards) {
      throw new IllegalArgumentException("no shard %d of %d".formatted(shard, shards));
    }
  }

  /** All tests, or a sample of them. */
  public static Selection whole(boolean quick) {
    return new Selection(quick, 1, 1, Optional.empty());
  }

  /**
   * A shard that is written as I/N.
   *
   * @return empty if the text is no shard
   */
  public static Optional<Selection> shard(boolean quick, String text) {
    Matcher parts = SHARD.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    int shard = Integer.parseInt(parts.group(1));
    int shards = Integer.parseInt(parts.group(2));
    return shard >= 1 && shard <= shards
        ? Optional.of(new Selection(quick, shard, shards, Optional.empty()))
        : Optional.empty();
  }

  /** Only tests in whose names the pattern is found. */
  public Selection named(Pattern pattern) {
    return new Selection(quick, shard, shards, Optional.of(pattern));
  }

  /** The tests that may run by their names. */
  List<TestCase> named(List<TestCase> all) {
    return names
        .map(pattern -> all.stream().filter(t -> pattern.matcher(t.name()).find()).toList())
        .orElse(all);
  }

  /**
   * The tests that run: of the sorted list, or of the sample, those whose number leaves I - 1 when
   * divided by N. Shards with the same list thus have no test in common, and together all of them.
   *
   * @param sample about how many tests a sample has
   */
  List<TestCase> of(List<TestCase> all, int sample) {
    List<TestCase> sorted = all.stream().sorted().toList();
    int step = quick ? Math.max(1, sorted.size() / sample) : 1;
    return IntStream.iterate((shard - 1) * step, i -> i < sorted.size(), i -> i + step * shards)
        .mapToObj(sorted::get)
        .toList();
  }

  /** For the heading of a report. */
  public String about() {
    String tests = quick ? "a sample" : "all tests";
    if (names.isPresent()) {
      tests += " with names that match '%s'".formatted(names.get());
    }
    return shards == 1 ? tests : "shard %d of %d of %s".formatted(shard, shards, tests);
  }
}
