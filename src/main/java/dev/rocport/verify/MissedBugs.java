package dev.rocport.verify;

import dev.rocport.io.TsvTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the checks are known to miss in programs with planted bugs, or to report in their fixed
 * twins: {@code missed.tsv} beside the programs.
 */
public record MissedBugs(List<Entry> entries) {
  private static final String HEADER = "name\ttargets\twhat\twhy";

  /**
   * A program.
   *
   * @param targets the target, or {@code *} for all
   * @param what {@code bug} if it is missed, {@code fixed} if the fixed program is reported
   */
  public record Entry(String name, String targets, String what, String why) {
    private boolean isOf(BugTrial trial) {
      return name.equals(trial.name()) && (targets.equals("*") || targets.equals(trial.target()));
    }
  }

  public MissedBugs {
    entries = List.copyOf(entries);
  }

  /** Those of a folder of programs; none if it has no such file. */
  public static MissedBugs of(Path folder) {
    Path file = folder.resolve("missed.tsv");
    if (!Files.exists(file)) {
      return new MissedBugs(List.of());
    }
    return new MissedBugs(
        TsvTable.read(file, HEADER).rows().stream()
            .map(r -> new Entry(r.cell(0), r.cell(1), r.cell(2), r.cell(3)))
            .toList());
  }

  /** Why the bug of a trial is missed, where that is known. */
  public Optional<String> whyMissed(BugTrial trial) {
    return why(trial, "bug");
  }

  /** Why its fixed program is reported, where that is known. */
  public Optional<String> whyReported(BugTrial trial) {
    return why(trial, "fixed");
  }

  private Optional<String> why(BugTrial trial, String what) {
    return entries.stream()
        .filter(e -> e.what().equals(what) && e.isOf(trial))
        .map(Entry::why)
        .findFirst();
  }
}
