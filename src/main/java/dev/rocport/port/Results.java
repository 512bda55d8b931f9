package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/** Results of entries that no rule processed. */
final class Results {
  private Results() {}

  static FileResult of(TreeEntry entry) {
    return switch (entry.kind()) {
      case SKIPPED -> of(entry, Status.SKIPPED, entry.note());
      case UNREADABLE -> of(entry, Status.FAILED, "cannot be read: " + entry.note());
      default -> of(entry, Status.COPIED, "");
    };
  }

  static FileResult of(TreeEntry entry, Status status, String message) {
    return new FileResult(
        entry.path(),
        status,
        entry.language(),
        entry.size(),
        0,
        Collections.unmodifiableSortedMap(new TreeMap<>()),
        List.of(),
        message);
  }

  /** Returns the same findings and edits with another status. */
  static FileResult as(FileResult r, Status status, String message) {
    return new FileResult(
        r.path(),
        status,
        r.language(),
        r.bytes(),
        r.lines(),
        r.edits(),
        r.findings(),
        r.suppressed(),
        r.changes(),
        message);
  }

  /** Returns the same result with further findings. */
  static FileResult with(FileResult r, List<Finding> more) {
    if (more.isEmpty()) {
      return r;
    }
    List<Finding> findings = new ArrayList<>(r.findings());
    findings.addAll(more);
    return r.with(findings, r.suppressed());
  }

  /** Returns the result of a file of rocport that could not be written to the output. */
  static FileResult failed(String path, IOException e) {
    return as(ofAdded(path, 0), Status.FAILED, "cannot be written: " + SourceTree.reason(e));
  }

  /** Returns the result of a file in the output that has no original. */
  static FileResult ofAdded(String path, long bytes) {
    return new FileResult(
        path,
        Status.COPIED,
        path.endsWith(".h") ? "c++" : "build",
        bytes,
        0,
        Collections.unmodifiableSortedMap(new TreeMap<>()),
        List.of(),
        "");
  }
}
