package dev.rocport.singlesource;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.List;

/**
 * Folds the two edits of a rule that wraps code in its own gate into one edit that removes the code
 * for AMD, so that the gate of the style applies.
 */
final class FoldedGates {
  private static final String OPEN = "#if !defined(" + Gates.MACRO + ")";
  private static final String CLOSE = "#endif";

  private FoldedGates() {}

  /**
   * Returns the edits in source order, with each pair and the text between them folded into one
   * edit.
   */
  static List<Edit> fold(List<Edit> edits, SourceFile file) {
    List<Edit> folded = new ArrayList<>(edits.size());
    for (int i = 0; i < edits.size(); i++) {
      Edit e = edits.get(i);
      int close = inserted(e).equals(OPEN) ? closing(edits, i) : -1;
      if (close < 0) {
        folded.add(e);
      } else {
        folded.add(Edit.delete(e.start(), end(edits.get(close), file), e.rule()));
        i = close;
      }
    }
    return folded;
  }

  private static int closing(List<Edit> edits, int open) {
    for (int i = open + 1; i < edits.size(); i++) {
      if (edits.get(i).rule().equals(edits.get(open).rule())
          && inserted(edits.get(i)).equals(CLOSE)) {
        return i;
      }
    }
    return -1;
  }

  private static String inserted(Edit e) {
    return e.start() == e.end()
            && e.pieces().size() == 1
            && e.pieces().getFirst() instanceof Piece.Text(String text)
        ? text.strip()
        : "";
  }

  /** Returns the end of a gate, including the line end if it closes at the end of a line. */
  private static int end(Edit close, SourceFile file) {
    int line = file.line(close.start());
    return close.start() == file.lineEnd(line) && line < file.lines()
        ? file.lineStart(line + 1)
        : close.start();
  }
}
