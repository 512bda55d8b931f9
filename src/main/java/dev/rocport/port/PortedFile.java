package dev.rocport.port;

import dev.rocport.core.result.Change;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Suppressed;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.port.decide.EditedLines;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * The result of applying the rules to one file, not yet written.
 *
 * @param index its place in the tree
 * @param entry the file
 * @param source the original
 * @param output the new content; the array of the original if nothing changed
 * @param edits number of edits by rule
 * @param findings in order of place
 * @param suppressed findings that comments in the file suppress
 * @param shims headers that the new content includes as {@code rocport/NAME}
 * @param changes lines before and after the port, for side-by-side display
 * @param edited the lines of the original that edits replace
 * @param partial the content with some of the edits
 * @param failure why the file was left unported; empty if it was not
 */
@SuppressWarnings("ArrayRecordComponent") // handed from the rules to the writer, never compared
public record PortedFile(
    int index,
    TreeEntry entry,
    SourceFile source,
    byte[] output,
    SortedMap<String, Integer> edits,
    List<Finding> findings,
    List<Suppressed> suppressed,
    SortedSet<String> shims,
    List<Change> changes,
    List<EditedLines> edited,
    Partial partial,
    String failure) {

  /** Returns the same file with other new content. */
  PortedFile with(byte[] content) {
    return with(content, edits, suppressed);
  }

  /** Returns the same file without some of its edits, for reasons in {@code setAside}. */
  PortedFile with(byte[] content, SortedMap<String, Integer> leftEdits, List<Suppressed> setAside) {
    return new PortedFile(
        index,
        entry,
        source,
        Arrays.equals(content, source.bytes()) ? source.bytes() : content,
        leftEdits,
        findings,
        setAside,
        shims,
        changes,
        edited,
        Partial.NONE,
        failure);
  }

  /** Returns the same file with other findings. */
  PortedFile with(List<Finding> told) {
    return new PortedFile(
        index,
        entry,
        source,
        output,
        edits,
        told,
        suppressed,
        shims,
        changes,
        edited,
        partial,
        failure);
  }

  public boolean isChanged() {
    return output != source.bytes();
  }

  /** Returns the result that states what the rules did. */
  public FileResult result() {
    if (!failure.isEmpty()) {
      return result(Status.FAILED, failure);
    }
    return result(isChanged() ? Status.PORTED : looked(), "");
  }

  private Status looked() {
    return entry.isSource() && source.encoding().isText() ? Status.UNCHANGED : Status.COPIED;
  }

  /** Returns the same result with another status. */
  public FileResult result(Status status, String message) {
    return new FileResult(
        entry.path(),
        status,
        entry.language(),
        source.length(),
        source.encoding().isText() ? source.withLineFeeds().lines() : 0,
        edits,
        findings,
        suppressed,
        changes,
        message);
  }
}
