package dev.rocport.build.unit;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.DeltaType;
import java.util.List;

/** Maps lines of a new text to lines of the old text by a diff. */
public final class LineMap {
  private final List<AbstractDelta<String>> deltas;

  private LineMap(List<AbstractDelta<String>> deltas) {
    this.deltas = deltas;
  }

  /** Compares two texts, given as their lines. */
  public static LineMap of(List<String> before, List<String> after) {
    return new LineMap(DiffUtils.diff(before, after).getDeltas());
  }

  /**
   * Returns the 1-based line of the old text. Lines in a changed range are matched in order; added
   * lines map to the line before them.
   */
  public int before(int line) {
    int at = line - 1;
    int shift = 0;
    for (AbstractDelta<String> d : deltas) {
      int start = d.getTarget().getPosition();
      int size = d.getTarget().size();
      if (at < start) {
        break;
      }
      int source = d.getSource().getPosition();
      if (at < start + size) {
        int last = source + Math.max(0, d.getSource().size() - 1);
        int same = Math.min(source + (at - start), last);
        return Math.max(1, d.getType() == DeltaType.INSERT ? source : same + 1);
      }
      shift = source + d.getSource().size() - (start + size);
    }
    return line + shift;
  }
}
