package dev.rocport.render.html;

import dev.rocport.render.text.TextReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes HTML in which no text is trusted: tags and attribute names come from the program,
 * everything else is escaped. Tags are closed in the order in which they were opened.
 */
final class HtmlWriter {
  private final Appendable out;
  private final Deque<String> open = new ArrayDeque<>();

  HtmlWriter(Appendable out) {
    this.out = out;
  }

  /**
   * Opens an element.
   *
   * @param attributes alternating names and values
   */
  HtmlWriter open(String tag, String... attributes) {
    start(tag, attributes);
    open.push(tag);
    return this;
  }

  /** Writes an element without content, such as {@code input}. */
  HtmlWriter single(String tag, String... attributes) {
    start(tag, attributes);
    return this;
  }

  private void start(String tag, String... attributes) {
    own("<" + tag);
    for (int i = 0; i < attributes.length; i += 2) {
      own(" " + attributes[i] + "=\"" + escape(attributes[i + 1]) + "\"");
    }
    own(">");
  }

  /** Closes the element that was opened last. */
  HtmlWriter close() {
    return own("</" + open.pop() + ">");
  }

  /** Writes an element that contains text. */
  HtmlWriter element(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close();
  }

  HtmlWriter text(String text) {
    return own(escape(text));
  }

  /** Writes markup of the program unchanged. */
  HtmlWriter own(String markup) {
    try {
      out.append(markup);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  HtmlWriter newLine() {
    return own("\n");
  }

  /** Escapes untrusted text; control and format characters become their codes. */
  static String escape(String text) {
    String visible = TextReport.visible(text);
    StringBuilder safe = new StringBuilder(visible.length() + 16);
    for (int i = 0; i < visible.length(); i++) {
      char c = visible.charAt(i);
      switch (c) {
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '&' -> safe.append("&amp;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(c);
      }
    }
    return safe.toString();
  }
}
