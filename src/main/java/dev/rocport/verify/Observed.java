package dev.rocport.verify;

import dev.rocport.verify.tensor.TensorFile;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one run of a program left.
 *
 * @param run how it ended and what it printed
 * @param findings what the device has found
 * @param files the files that it was to write, by path; empty where one is not there
 * @param tensors by file name
 * @param rows its own checks
 * @param standIns libraries of rocport's own that it loaded in place of ROCm's
 */
record Observed(
    ProgramRun run,
    List<SeenFinding> findings,
    SortedMap<String, Optional<byte[]>> files,
    SortedMap<String, TensorFile> tensors,
    List<CheckRow> rows,
    List<String> standIns) {
  Observed {
    findings = List.copyOf(findings);
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    tensors = Collections.unmodifiableSortedMap(new TreeMap<>(tensors));
    rows = List.copyOf(rows);
    standIns = List.copyOf(standIns);
  }

  /** Wrong elements among the program's own checks. */
  long wrong() {
    return rows.stream().mapToLong(CheckRow::wrong).sum();
  }
}
