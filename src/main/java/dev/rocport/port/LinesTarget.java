package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.port.decide.EditedLines;
import dev.rocport.port.decide.Item;
import dev.rocport.port.decide.Items;
import dev.rocport.port.decide.Items.Answer;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes only the changes in some lines of a source, and those of includes, which the others may
 * need. If they do not make sense without the others, the file stays as it is.
 */
public final class LinesTarget extends ForwardingTarget {
  private static final String INCLUDE = "INCLUDE-";

  private static final SortedMap<String, Integer> NONE = Collections.emptySortedMap();

  private final int first;
  private final int last;

  /**
   * @param first 1-based line
   * @param last the last line; at least {@code first}
   */
  public LinesTarget(Target inner, int first, int last) {
    super(inner, "lines-" + first + "-" + last);
    this.first = first;
    this.last = last;
  }

  /** The record of a port is that of the whole file, so the port of the lines is made again. */
  @Override
  public @Nullable FileResult unchanged(TreeEntry entry, String key) {
    return null;
  }

  @Override
  public @Nullable FileResult known(TreeEntry entry, SourceFile file) {
    return null;
  }

  @Override
  public FileResult ported(PortedFile file) throws IOException {
    Items items = DecidingTarget.items(file);
    boolean any = items.all().stream().anyMatch(this::isInside);
    byte[] content =
        items.apply(item -> any && isWanted(item) ? new Answer.Ported() : new Answer.Original());
    boolean isWhole = items.all().stream().anyMatch(Item::isWhole);
    if (isWhole || DecidingTarget.leavesOpen(file, content)) {
      FileResult left = inner().ported(file.with(file.source().bytes(), NONE, file.suppressed()));
      String why =
          isWhole
              ? "its changes belong together: port the whole file"
              : "the changes in these lines leave brackets or conditions open: name more lines";
      return told(Results.as(left, Status.FAILED, why));
    }
    boolean isSame = Arrays.equals(content, file.source().bytes());
    SortedMap<String, Integer> edits = isSame ? NONE : edits(file);
    return told(inner().ported(file.with(content, edits, file.suppressed())));
  }

  /** Returns the number of edits in the lines, by rule. */
  private SortedMap<String, Integer> edits(PortedFile file) {
    SortedMap<String, Integer> edits = new TreeMap<>();
    for (EditedLines e : file.edited()) {
      Integer most = file.edits().get(e.rule());
      boolean isInside = e.first() <= last && e.last() >= first;
      if (most != null && (isInside || e.rule().startsWith(INCLUDE))) {
        edits.merge(e.rule(), 1, (n, one) -> Math.min(most, n + one));
      }
    }
    return edits;
  }

  private boolean isWanted(Item item) {
    return isInside(item) || item.rules().stream().allMatch(r -> r.startsWith(INCLUDE));
  }

  private boolean isInside(Item item) {
    return !item.isWhole() && item.line() <= last && item.lastLine() >= first;
  }

  /** Returns the result with the findings in the lines. */
  private FileResult told(FileResult result) {
    List<Finding> left =
        result.findings().stream()
            .filter(f -> f.line() == 0 || (f.line() <= last && f.endLine() >= first))
            .toList();
    return result.with(left, result.suppressed());
  }
}
