package dev.rocport.lang.ptx.find;

import java.util.Set;

/**
 * Iterates over the statements of PTX, fast enough for whole modules: distinguishes instructions
 * from directives and labels, and names entries. It accepts any text and never fails.
 */
final class Statements {
  /** Directives that end with their line, not with a semicolon. */
  private static final Set<String> LINES =
      Set.of(
          ".version",
          ".target",
          ".address_size",
          ".loc",
          ".file",
          ".maxnreg",
          ".maxntid",
          ".reqntid",
          ".minnctapersm",
          ".maxnctapersm",
          ".maxclusterrank",
          ".reqnctapercluster",
          ".explicitcluster",
          ".noreturn",
          ".abi_preserve");

  /** What may begin the head of a function. */
  private static final Set<String> HEADS =
      Set.of(".visible", ".extern", ".weak", ".common", ".entry", ".func", ".alias");

  private final String s;
  private int at;

  /** What kind of statement this is. */
  enum Kind {
    INSTRUCTION,
    ENTRY,
    FUNCTION,
    DIRECTIVE
  }

  private Kind kind = Kind.DIRECTIVE;
  private String name = "";
  private int start;
  private int nameStart;
  private int end;

  Statements(String text) {
    this.s = text;
  }

  /** Moves to the next statement; false after the last one. */
  boolean next() {
    while (true) {
      skipBlank();
      if (at >= s.length()) {
        return false;
      }
      char c = s.charAt(at);
      if (c == '{' || c == '}' || c == ';') {
        at++;
        continue;
      }
      start = at;
      if (c == '@') {
        predicate();
        skipBlank();
        c = at < s.length() ? s.charAt(at) : ';';
      }
      if (c == '.') {
        directive();
        return true;
      }
      if (!isWord(c)) {
        at = statementEnd();
        continue;
      }
      nameStart = at;
      at = wordEnd(at);
      if (at < s.length() && s.charAt(at) == ':') {
        at++; // a label
        continue;
      }
      kind = Kind.INSTRUCTION;
      name = s.substring(nameStart, at);
      end = statementEnd();
      at = end;
      return true;
    }
  }

  Kind kind() {
    return kind;
  }

  /** Opcode and qualifiers of an instruction, the directive's word, the function's name. */
  String name() {
    return name;
  }

  /** Where the statement begins, its predicate included. */
  int start() {
    return start;
  }

  int nameStart() {
    return nameStart;
  }

  /** After its last character, the semicolon not included. */
  int end() {
    return end;
  }

  private void predicate() {
    at++;
    while (at < s.length() && !Character.isWhitespace(s.charAt(at)) && s.charAt(at) != ';') {
      at++;
    }
  }

  private void directive() {
    nameStart = at;
    at = wordEnd(at + 1);
    name = s.substring(nameStart, at);
    kind = Kind.DIRECTIVE;
    if (LINES.contains(name)) {
      end = at;
      while (end < s.length() && s.charAt(end) != '\n' && s.charAt(end) != ';') {
        end++;
      }
      at = end;
    } else if (HEADS.contains(name)) {
      head();
    } else if (name.equals(".section")) {
      while (at < s.length() && s.charAt(at) != '}') {
        at++;
      }
      end = at;
    } else {
      end = statementEnd();
      at = end;
    }
  }

  /** Reads the head of a function or variable up to its body or semicolon. */
  private void head() {
    String last = name;
    while (at < s.length()) {
      skipBlank();
      char c = at < s.length() ? s.charAt(at) : ';';
      if (c == '{' || c == ';') {
        break;
      }
      if (last.equals(".entry") || last.equals(".func")) {
        if (c == '(') { // results of a function
          at = s.indexOf(')', at) < 0 ? s.length() : s.indexOf(')', at) + 1;
          continue;
        }
        if (isWord(c)) {
          kind = last.equals(".entry") ? Kind.ENTRY : Kind.FUNCTION;
          nameStart = at;
          at = wordEnd(at);
          name = s.substring(nameStart, at);
          end = at;
          int brace = s.indexOf('{', at);
          int semicolon = s.indexOf(';', at);
          boolean body = brace >= 0 && (semicolon < 0 || brace < semicolon);
          at = body ? brace : semicolon < 0 ? s.length() : semicolon;
          return;
        }
      }
      if (c == '.') {
        int from = at;
        at = wordEnd(at + 1);
        last = s.substring(from, at);
      } else {
        at++;
      }
    }
    end = statementEnd();
    at = end;
  }

  private int statementEnd() {
    int i = at;
    while (i < s.length()) {
      char c = s.charAt(i);
      if (c == ';') {
        return i;
      }
      if (c == '"') {
        int close = s.indexOf('"', i + 1);
        i = close < 0 ? s.length() : close;
      }
      i++;
    }
    return s.length();
  }

  private int wordEnd(int from) {
    int i = from;
    while (i < s.length()) {
      char c = s.charAt(i);
      if (isWord(c) || c == '.') {
        i++;
      } else if (c == ':' && i + 2 < s.length() && s.charAt(i + 1) == ':') {
        i += 2;
      } else {
        break;
      }
    }
    return i;
  }

  private static boolean isWord(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '$'
        || c == '%'
        || c == PtxText.HOLE;
  }

  private void skipBlank() {
    while (at < s.length()) {
      char c = s.charAt(at);
      if (c <= ' ') {
        at++;
      } else if (c == '/' && s.startsWith("//", at)) {
        int line = s.indexOf('\n', at);
        at = line < 0 ? s.length() : line + 1;
      } else if (c == '/' && s.startsWith("/*", at)) {
        int close = s.indexOf("*/", at + 2);
        at = close < 0 ? s.length() : close + 2;
      } else {
        return;
      }
    }
  }
}
