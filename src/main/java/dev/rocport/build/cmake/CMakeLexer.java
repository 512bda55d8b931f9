package dev.rocport.build.cmake;

import java.util.ArrayList;
import java.util.List;

/** Parts a CMake file into commands. The grammar is that of CMake's language manual. */
final class CMakeLexer {
  private final String file;
  private final String text;
  private int at;
  private int line = 1;

  private CMakeLexer(String file, String text) {
    this.file = file;
    this.text = text;
  }

  static List<Call> calls(String file, String text) throws CMakeException {
    return new CMakeLexer(file, text).run();
  }

  private List<Call> run() throws CMakeException {
    List<Call> calls = new ArrayList<>();
    while (true) {
      skip();
      if (at >= text.length()) {
        return calls;
      }
      int start = at;
      int startLine = line;
      while (at < text.length() && isName(text.charAt(at))) {
        at++;
      }
      if (start == at) {
        throw new CMakeException(file, line, "a command was expected at '" + text.charAt(at) + "'");
      }
      String name = text.substring(start, at);
      skip();
      if (at >= text.length() || text.charAt(at) != '(') {
        throw new CMakeException(file, line, "'(' was expected behind " + name);
      }
      at++;
      calls.add(new Call(file, startLine, name, arguments(name)));
    }
  }

  private List<Call.Argument> arguments(String name) throws CMakeException {
    List<Call.Argument> arguments = new ArrayList<>();
    int depth = 1;
    while (true) {
      skip();
      if (at >= text.length()) {
        throw new CMakeException(file, line, "')' is missing behind " + name);
      }
      char c = text.charAt(at);
      if (c == '(') {
        depth++;
        at++;
        arguments.add(new Call.Argument("(", false, true));
      } else if (c == ')') {
        at++;
        if (--depth == 0) {
          return arguments;
        }
        arguments.add(new Call.Argument(")", false, true));
      } else if (c == '"') {
        arguments.add(new Call.Argument(quoted(), true, false));
      } else if (c == '[' && bracket() >= 0) {
        arguments.add(new Call.Argument(bracketed(), true, true));
      } else {
        arguments.add(new Call.Argument(unquoted(), false, false));
      }
    }
  }

  private String quoted() throws CMakeException {
    int start = ++at;
    while (at < text.length() && text.charAt(at) != '"') {
      if (text.charAt(at) == '\\') {
        at++;
      }
      advance();
    }
    if (at >= text.length()) {
      throw new CMakeException(file, line, "a string is not closed");
    }
    return text.substring(start, at++).replace("\\\n", "");
  }

  private String unquoted() {
    int start = at;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"') {
        // Old style: -DNAME="text" is one argument with its quotes.
        int close = text.indexOf('"', at + 1);
        at = close < 0 ? text.length() : close + 1;
        continue;
      }
      if (Character.isWhitespace(c) || c == '(' || c == ')' || c == '#') {
        // $(VAR) belongs to the word, and so do brackets of generator expressions.
        break;
      }
      at += c == '\\' ? 2 : 1;
    }
    at = Math.min(at, text.length());
    return text.substring(start, at);
  }

  /** Number of equals signs of a bracket that opens here, or -1. */
  private int bracket() {
    int end = at + 1;
    while (end < text.length() && text.charAt(end) == '=') {
      end++;
    }
    return end < text.length() && text.charAt(end) == '[' ? end - at - 1 : -1;
  }

  private String bracketed() throws CMakeException {
    int signs = bracket();
    String close = "]" + "=".repeat(signs) + "]";
    int start = at + signs + 2;
    int end = text.indexOf(close, start);
    if (end < 0) {
      throw new CMakeException(file, line, "a bracket argument is not closed");
    }
    while (at < end + close.length()) {
      advance();
    }
    String content = text.substring(start, end);
    return content.startsWith("\n") ? content.substring(1) : content;
  }

  private void skip() throws CMakeException {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        at++;
        if (at < text.length() && text.charAt(at) == '[' && bracket() >= 0) {
          bracketed();
        } else {
          while (at < text.length() && text.charAt(at) != '\n') {
            at++;
          }
        }
      } else if (Character.isWhitespace(c) || c == ';') {
        advance();
      } else {
        return;
      }
    }
  }

  private void advance() {
    if (at < text.length() && text.charAt(at) == '\n') {
      line++;
    }
    at++;
  }

  private static boolean isName(char c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }
}
