package dev.rocport.lang.python;

import dev.rocport.core.source.SourceFile;

/** The lines of a Python file. */
record PythonLines(SourceFile file) {
  /** The start of the line after the one that an offset ends on. */
  int next(int offset) {
    int line = file.line(Math.max(0, offset - 1));
    return line < file.lines() ? file.lineStart(line + 1) : file.length();
  }

  /** True if nothing but white space is before an offset on its line. */
  boolean isFirst(int offset) {
    int start = text(file.line(offset));
    for (int i = start; i < offset; i++) {
      byte c = file.bytes()[i];
      if (c != ' ' && c != '\t' && c != '\f') {
        return false;
      }
    }
    return true;
  }

  /** True if the line before ends in a backslash: nothing can be put between the two. */
  boolean isContinued(int offset) {
    int line = file.line(offset);
    int end = line == 1 ? 0 : file.lineEnd(line - 1);
    return end > 0 && file.bytes()[end - 1] == '\\';
  }

  /** True if nothing but a comment follows on the line. */
  boolean endsLine(int offset) {
    int end = file.lineEnd(file.line(Math.max(0, offset - 1)));
    for (int i = offset; i < end; i++) {
      byte c = file.bytes()[i];
      if (c == '#') {
        return true;
      }
      if (c != ' ' && c != '\t' && c != '\f') {
        return false;
      }
    }
    return true;
  }

  boolean isBlank(int line) {
    return file.text(file.lineStart(line), file.lineEnd(line)).isBlank();
  }

  String indentation(int offset) {
    int start = text(file.line(offset));
    int end = start;
    while (end < file.length() && (file.bytes()[end] == ' ' || file.bytes()[end] == '\t')) {
      end++;
    }
    return file.text(start, end);
  }

  /** A line's first byte after a mark. */
  int start(int line) {
    int start = file.lineStart(line);
    boolean mark = line == 1 && file.length() > 2 && file.bytes()[0] == (byte) 0xEF;
    return mark ? start + 3 : start;
  }

  /** The same after form feeds too. */
  private int text(int line) {
    int start = start(line);
    while (start < file.length() && file.bytes()[start] == '\f') {
      start++;
    }
    return start;
  }
}
