package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/**
 * The gates of a build file in a single-source port: whole lines between an opening and a closing
 * marker line, each recognised by its full text. Removing all gates gives the original file.
 *
 * @param language language of the file
 */
public record BuildGate(GateLanguage language) {
  private static final String BEGIN = "rocport: begin rocm";
  private static final String END = "rocport: end rocm";
  private static final String END_NO_NEWLINE = "rocport: end rocm, no newline";

  /** Role of a line in a gate. */
  public enum Mark {
    NONE,
    BEGIN,
    END
  }

  /** Returns true for files that can have such gates. */
  public boolean serves(String path) {
    return language.serves(path);
  }

  /** Encloses lines in a gate; each of them and the marker lines end in {@code nl}. */
  public String around(List<String> lines, String nl) {
    String c = language.comment();
    StringBuilder s = new StringBuilder(c).append(' ').append(BEGIN).append(nl);
    lines.forEach(line -> s.append(line).append(nl));
    return s.append(c).append(' ').append(END).append(nl).toString();
  }

  /** Returns the same for the end of a file whose last line has no line terminator. */
  public String atEnd(List<String> lines, String nl) {
    String gate = around(lines, nl);
    int end = gate.lastIndexOf(END);
    return nl + gate.substring(0, end) + END_NO_NEWLINE + nl;
  }

  /** Returns the bytes of a file without its gates; the file's own array if it has none. */
  public byte[] strip(SourceFile file) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(file.length());
    boolean inside = false;
    boolean any = false;
    boolean dropLineEnd = false;
    for (int line = 1; line <= file.lines(); line++) {
      String text = mark(file, line);
      if (!inside && text.equals(BEGIN)) {
        dropLineEnd = closesWithoutNewline(file, line);
        inside = true;
        any = true;
        if (dropLineEnd) {
          byte[] b = out.toByteArray();
          int end = b.length - (b.length > 1 && b[b.length - 2] == '\r' ? 2 : 1);
          out.reset();
          out.write(b, 0, Math.max(0, end));
        }
      } else if (inside && (text.equals(END) || text.equals(END_NO_NEWLINE))) {
        inside = false;
      } else if (!inside) {
        int to = line < file.lines() ? file.lineStart(line + 1) : file.length();
        out.write(file.bytes(), file.lineStart(line), to - file.lineStart(line));
      }
    }
    return any && !inside ? out.toByteArray() : file.bytes();
  }

  /** Returns the line number in the file of a line number in the file without gates. */
  public int lineWithGates(SourceFile file, int stripped) {
    boolean inside = false;
    int n = 0;
    for (int line = 1; line <= file.lines(); line++) {
      String mark = mark(file, line);
      n += inside || !mark.isEmpty() ? 0 : 1;
      inside = mark.isEmpty() ? inside : mark.equals(BEGIN);
      if (n == stripped) {
        return line;
      }
    }
    return file.lines();
  }

  /** Returns the number of gates in a file. */
  public int count(SourceFile file) {
    int n = 0;
    for (int line = 1; line <= file.lines(); line++) {
      n += mark(file, line).equals(BEGIN) ? 1 : 0;
    }
    return n;
  }

  private boolean closesWithoutNewline(SourceFile file, int begin) {
    for (int line = begin + 1; line <= file.lines(); line++) {
      String text = mark(file, line);
      if (text.equals(END) || text.equals(END_NO_NEWLINE)) {
        return text.equals(END_NO_NEWLINE);
      }
    }
    return false;
  }

  /** Returns the text of a marker line; empty for all other lines. */
  private String mark(SourceFile file, int line) {
    String text = file.text(file.lineStart(line), file.lineEnd(line));
    String c = language.comment() + " ";
    String rest = text.startsWith(c) ? text.substring(c.length()) : "";
    return rest.equals(BEGIN) || rest.equals(END) || rest.equals(END_NO_NEWLINE) ? rest : "";
  }

  private Mark markOf(SourceFile file, int line) {
    String mark = mark(file, line);
    return mark.isEmpty() ? Mark.NONE : mark.equals(BEGIN) ? Mark.BEGIN : Mark.END;
  }

  /**
   * Returns the content of the gates that takes effect with ROCm off; empty if there is none, so a
   * CUDA build reads the same text as before.
   */
  public Optional<String> leak(SourceFile file) {
    return language.leak(file, line -> markOf(file, line));
  }
}
