package dev.rocport.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes tables with many findings, to measure reports; src/build/fleet-report-figures.sh starts
 * it.
 */
final class SyntheticTables {
  private static final int RULES = 300;
  private static final String[] SEVERITIES = {"error", "warning", "note", "note", "note"};

  private SyntheticTables() {}

  /**
   * Writes the tables.
   *
   * @param args folder, number of repositories, findings of each
   */
  public static void main(String[] args) throws Exception {
    OutputFolder out = new OutputFolder(Path.of(args[0]));
    int repositories = Integer.parseInt(args[1]);
    int findings = Integer.parseInt(args[2]);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < repositories; i++) {
      keys.add("r" + i);
    }
    out.open(
        new OutputFolder.Description(OutputFolder.SCHEMA, "synthetic", "audit", List.of(), keys));
    keys.parallelStream()
        .forEach(
            key -> {
              try (Attempt attempt = out.attempt(key)) {
                rows(attempt.tables(), key, findings);
                attempt.commit();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  private static void rows(TableFiles rows, String key, int findings) {
    Random random = new Random(key.hashCode());
    long[] bySeverity = new long[SEVERITIES.length];
    for (int i = 0; i < findings; i++) {
      // A repository uses some of the rules, and some much more often than others.
      int rule = (key.hashCode() & 7) + (int) Math.abs(random.nextGaussian() * RULES / 4) % RULES;
      int severity = rule % SEVERITIES.length;
      bySeverity[severity]++;
      rows.add(
          Table.FINDINGS,
          "src/module" + i / 500 + "/kernel" + i / 20 + ".cu",
          1L + i % 20 * 37,
          (long) random.nextInt(80),
          "RULE-" + rule,
          SEVERITIES[severity],
          severity == 0 ? "unported" : "review",
          "the message of rule " + rule + " about name" + random.nextInt(50),
          "",
          Long.toHexString(random.nextLong()),
          "");
    }
    for (int r = 0; r < RULES; r++) {
      rows.add(Table.RULES, "RULE-" + r, "family" + r % 9, "What rule " + r + " says", 1L, 1L);
    }
    rows.add(
        Table.REPOSITORIES,
        key,
        "/" + key,
        "team" + key.length(),
        "audited",
        findings / 20L,
        findings * 300L,
        findings * 10L,
        findings * 4L,
        bySeverity[0],
        bySeverity[1],
        bySeverity[2] + bySeverity[3] + bySeverity[4],
        0L,
        0L,
        findings * 2L,
        "",
        5L,
        4L,
        0L);
  }
}
