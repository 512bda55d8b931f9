package dev.rocport.render.text;

import java.util.ArrayList;
import java.util.List;

/** Columns of text, aligned. The last column is cut if the paper says so. */
public final class TextTable {
  private static final int NARROWEST_LAST = 20;

  private final List<List<String>> rows = new ArrayList<>();
  private final String alignment;

  /**
   * @param alignment one letter per column: {@code l} for left, {@code r} for right
   * @param header titles of the columns
   */
  public TextTable(String alignment, String... header) {
    this.alignment = alignment;
    rows.add(List.of(header));
  }

  public void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell.toString());
    }
    rows.add(row);
  }

  public boolean isEmpty() {
    return rows.size() == 1;
  }

  /** Returns the table with a bold header and indented lines. */
  public String render(Paper paper, String indent) {
    int columns = alignment.length();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(widths[c], length(row.get(c)));
      }
    }
    int before = indent.length();
    for (int c = 0; c < columns - 1; c++) {
      before += widths[c] + 2;
    }
    if (paper.cuts()) {
      int room = Math.max(NARROWEST_LAST, paper.width() - before);
      widths[columns - 1] = Math.min(widths[columns - 1], room);
    }
    StringBuilder out = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      String line = line(rows.get(r), widths);
      out.append(indent).append(r == 0 ? paper.bold(line) : line).append("\n");
    }
    return out.toString();
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      String cell = cut(row.get(c), widths[c]);
      String fill = " ".repeat(widths[c] - length(cell));
      line.append(c == 0 ? "" : "  ");
      line.append(alignment.charAt(c) == 'r' ? fill + cell : cell + fill);
    }
    return line.toString().stripTrailing();
  }

  private static String cut(String cell, int width) {
    if (length(cell) <= width) {
      return cell;
    }
    return cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + "…";
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
