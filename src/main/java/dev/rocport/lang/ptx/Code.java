package dev.rocport.lang.ptx;

import java.util.List;

/** C++ statements that a translation consists of. */
public sealed interface Code {
  /** A statement without its semicolon. */
  record Line(String text) implements Code {}

  /**
   * Statements in braces.
   *
   * @param head before the opening brace, {@code if (p)}; may be empty
   * @param tail after the closing one, {@code while (p)}; may be empty
   */
  record Braces(String head, List<Code> body, String tail) implements Code {
    public Braces {
      body = List.copyOf(body);
    }
  }

  /**
   * The text of statements.
   *
   * @param newline what ends a line; a blank for all in one line
   * @param indent before each line but the first
   */
  static String text(List<Code> code, String newline, String indent) {
    StringBuilder out = new StringBuilder();
    boolean oneLine = newline.isBlank() && newline.indexOf('\n') < 0;
    for (Code c : code) {
      if (!out.isEmpty()) {
        out.append(newline).append(oneLine ? "" : indent);
      }
      switch (c) {
        case Line(String text) -> out.append(text).append(';');
        case Braces(String head, List<Code> body, String tail) -> {
          String inner = oneLine ? "" : indent + "  ";
          out.append(head).append(head.isEmpty() ? "{" : " {").append(newline).append(inner);
          out.append(text(body, newline, inner));
          out.append(newline).append(oneLine ? "" : indent).append('}');
          out.append(tail.isEmpty() ? "" : " " + tail + ";");
        }
      }
    }
    return out.toString();
  }
}
