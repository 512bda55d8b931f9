package dev.rocport.conformance;

import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Tests that are known to fail, with reasons, from {@code rules/conformance/known.tsv}.
 *
 * @param entries in the order of the table
 */
public record KnownFailures(List<KnownFailures.Entry> entries) {
  static final String HEADER = "suite\ttest\tdate\treason";

  /**
   * Some tests of one suite.
   *
   * @param test pattern of their names; {@code *} stands for any text
   * @param date when it was last seen, ISO 8601
   */
  public record Entry(String suite, Pattern test, String date, String reason) {}

  public KnownFailures {
    entries = List.copyOf(entries);
  }

  /** The list that rocport comes with. */
  public static KnownFailures builtIn() {
    return of(BuiltInText.table("conformance/known.tsv", HEADER));
  }

  static KnownFailures of(TsvTable table) {
    return new KnownFailures(
        table.rows().stream()
            .map(r -> new Entry(r.cell(0), pattern(r.cell(1)), r.cell(2), r.cell(3)))
            .toList());
  }

  private static Pattern pattern(String test) {
    return Pattern.compile(Pattern.quote(test).replace("*", "\\E.*\\Q"), Pattern.DOTALL);
  }

  /** Why this test fails, if that is known. */
  Optional<Entry> of(Suite suite, TestCase test) {
    return entries.stream()
        .filter(e -> e.suite().equals(suite.name()))
        .filter(e -> e.test().matcher(test.toString()).matches())
        .findFirst();
  }
}
