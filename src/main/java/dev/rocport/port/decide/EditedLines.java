package dev.rocport.port.decide;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.source.SourceFile;
import java.util.List;

/**
 * The lines that an edit replaces.
 *
 * @param first 1-based line of the original
 * @param last line of the last byte that it replaces
 * @param rule id of the rule that made it
 */
public record EditedLines(int first, int last, String rule) {
  /** Returns the lines of all edits of a file. */
  public static List<EditedLines> of(SourceFile file, List<Edit> edits) {
    return edits.stream()
        .map(
            e ->
                new EditedLines(
                    file.line(e.start()), file.line(Math.max(e.start(), e.end() - 1)), e.rule()))
        .toList();
  }
}
