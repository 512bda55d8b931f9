package dev.rocport.render.html;

import java.util.List;

/**
 * HTML tables of text; a table that is wider than the page scrolls separately, also by keyboard.
 */
final class HtmlTable {
  private HtmlTable() {}

  /**
   * Writes a table.
   *
   * @param title the title for screen readers
   * @param alignment one letter per column: {@code l}, {@code r} for numbers, {@code c} for code
   */
  static void write(
      HtmlWriter html,
      String title,
      String alignment,
      List<String> header,
      List<List<String>> rows) {
    begin(html, title, alignment, header);
    for (List<String> row : rows) {
      html.open("tr");
      for (int i = 0; i < row.size(); i++) {
        cell(html, alignment.charAt(i), row.get(i));
      }
      html.close().newLine();
    }
    end(html);
  }

  /** Begins a table whose rows the caller writes. */
  static void begin(HtmlWriter html, String title, String alignment, List<String> header) {
    html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", title);
    html.open("table").open("thead").open("tr");
    for (int i = 0; i < header.size(); i++) {
      html.element("th", header.get(i), "scope", "col", "class", kind(alignment.charAt(i)));
    }
    html.close().close().newLine().open("tbody").newLine();
  }

  static void end(HtmlWriter html) {
    html.close().close().close().newLine();
  }

  /** A cell of text. */
  static void cell(HtmlWriter html, char kind, String text) {
    html.open("td", "class", kind(kind));
    if (kind == 'c') {
      html.element("code", text);
    } else {
      html.text(text);
    }
    html.close();
  }

  private static String kind(char letter) {
    return letter == 'r' ? "number" : letter == 'c' ? "code" : "words";
  }
}
