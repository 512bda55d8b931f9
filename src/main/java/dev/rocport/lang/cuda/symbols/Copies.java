package dev.rocport.lang.cuda.symbols;

import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls that write device memory and may return before they complete: {@code cuda/copies.tsv}. */
public final class Copies {
  private static final Map<String, Copy> COPIES = new HashMap<>();

  static {
    for (TsvTable.Row r : BuiltInText.table("cuda/copies.tsv", "function\tkind\tstream").rows()) {
      COPIES.put(r.cell(0), new Copy(index(r.cell(1)), index(r.cell(2))));
    }
  }

  private Copies() {}

  /**
   * A function that copies or sets.
   *
   * @param kind index of the argument with the direction of the copy; -1 if there is none
   * @param stream index of the stream; -1 if it is the default one
   */
  public record Copy(int kind, int stream) {
    public boolean isAsynchronous() {
      return stream >= 0;
    }
  }

  public static @Nullable Copy of(String name) {
    return COPIES.get(name);
  }

  private static int index(String cell) {
    return cell.isEmpty() ? -1 : Integer.parseInt(cell);
  }
}
