package dev.rocport.warp.ir;

import java.util.Arrays;
import org.eclipse.cdt.core.dom.ast.IASTFileLocation;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorFunctionStyleMacroDefinition;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorMacroDefinition;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorMacroExpansion;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;
import org.jspecify.annotations.Nullable;

/** The macro uses of a file: nodes of the tree have the bytes of the use there. */
final class MacroUses {
  private final int[] starts;
  private final int[] ends;
  private final @Nullable String[] names;

  private MacroUses(int[] starts, int[] ends, @Nullable String[] names) {
    this.starts = starts;
    this.ends = ends;
    this.names = names;
  }

  static MacroUses of(IASTTranslationUnit unit) {
    IASTPreprocessorMacroExpansion[] all = unit.getMacroExpansions();
    int[] starts = new int[all.length];
    int[] ends = new int[all.length];
    @Nullable String[] names = new String[all.length];
    int n = 0;
    for (IASTPreprocessorMacroExpansion e : all) {
      IASTFileLocation at = e.getFileLocation();
      if (at == null) {
        continue;
      }
      IASTPreprocessorMacroDefinition definition = e.getMacroDefinition();
      boolean object =
          !(definition instanceof IASTPreprocessorFunctionStyleMacroDefinition)
              && definition != null;
      starts[n] = at.getNodeOffset();
      ends[n] = at.getNodeOffset() + at.getNodeLength();
      names[n++] = object ? e.getMacroReference().toString() : null;
    }
    return new MacroUses(Arrays.copyOf(starts, n), Arrays.copyOf(ends, n), names);
  }

  /** True if the bytes are in the use of a macro. */
  boolean holds(int start, int end) {
    int m = at(start);
    return m >= 0 && end <= ends[m] && ends[m] != start;
  }

  /** The macro without parameters whose use these bytes are; null if there is none. */
  @Nullable String constant(int start, int end) {
    int m = at(start);
    return m >= 0 && starts[m] == start && ends[m] == end ? names[m] : null;
  }

  /** The use that a byte is in, or -1. */
  private int at(int offset) {
    int lo = 0;
    int hi = starts.length - 1;
    while (lo <= hi) {
      int mid = (lo + hi) >>> 1;
      if (starts[mid] > offset) {
        hi = mid - 1;
      } else {
        lo = mid + 1;
      }
    }
    return hi >= 0 && offset < ends[hi] ? hi : -1;
  }
}
