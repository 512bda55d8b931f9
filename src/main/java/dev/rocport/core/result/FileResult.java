package dev.rocport.core.result;

import java.util.List;
import java.util.SortedMap;

/**
 * The result for one file.
 *
 * @param path path relative to the tree's root, with {@code /}
 * @param status what was done
 * @param language {@code cuda}, {@code c++}, {@code c}, {@code python}, {@code java}, {@code
 *     build}, {@code other}
 * @param bytes size of the original
 * @param lines lines of the original; 0 for files that are not text
 * @param edits number of edits by rule id, in order of the id
 * @param findings in source order
 * @param suppressed suppressed findings, with the reason, in source order
 * @param changes lines before and after, for edits that a report shows side by side
 * @param message why, for {@code FAILED}, {@code SKIPPED} and {@code CONFLICT}; otherwise empty
 */
public record FileResult(
    String path,
    Status status,
    String language,
    long bytes,
    int lines,
    SortedMap<String, Integer> edits,
    List<Finding> findings,
    List<Suppressed> suppressed,
    List<Change> changes,
    String message) {

  /** A file in which nothing is suppressed. */
  public FileResult(
      String path,
      Status status,
      String language,
      long bytes,
      int lines,
      SortedMap<String, Integer> edits,
      List<Finding> findings,
      String message) {
    this(path, status, language, bytes, lines, edits, findings, List.of(), List.of(), message);
  }

  /** What was done with a file. */
  public enum Status {
    /** Rewritten. */
    PORTED,
    /** Checked, nothing to change; copied if a copy was requested. */
    UNCHANGED,
    /** Not checked (not source text); copied if a copy was requested. */
    COPIED,
    /** Same input, rules and options as in the last run: left as it is. */
    UP_TO_DATE,
    /** The original and the ported file both changed; both kept, see the message. */
    CONFLICT,
    /** Left out on purpose; see the message. */
    SKIPPED,
    /** A unit of a build that compiles for every side. */
    COMPILED,
    /** A unit of a build that does not, for one side at least. */
    NOT_COMPILED,
    /** Could not be read, understood or written; see the message. */
    FAILED
  }

  public FileResult {
    findings = List.copyOf(findings);
    suppressed = List.copyOf(suppressed);
    changes = List.copyOf(changes);
  }

  /** Returns the same result with other findings and suppressed findings. */
  public FileResult with(List<Finding> found, List<Suppressed> setAside) {
    return new FileResult(
        path, status, language, bytes, lines, edits, found, setAside, changes, message);
  }

  public int editCount() {
    return edits.values().stream().mapToInt(Integer::intValue).sum();
  }
}
