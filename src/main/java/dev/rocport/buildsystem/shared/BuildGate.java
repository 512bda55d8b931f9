package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/**
 * The gates of a build file in a single-source port: whole lines between one line that opens and
 * one that closes, each recognised by its full text. Taking them all out gives the original.
 *
 * @param language of the file
 */
public record BuildGate(GateLanguage language) {
  private static final String BEGIN = "rocport: begin rocm";
  private static final String END = "rocport: end rocm";
  private static final String END_NO_NEWLINE = "rocport: end rocm, no newline";

  /** What a line is to the gates. */
  public enum Mark {
    NONE,
    BEGIN,
    END
  }

  /** True for files that can have such gates. */
  public boolean serves(String path) {
    return language.serves(path);
  }

  /** Lines behind a gate; each of them and the gate's own end in {@code nl}. */
  public String around(List<String> lines, String nl) {
    String c = language.comment();
    StringBuilder s = new StringBuilder(c).append(' ').append(BEGIN).append(nl);
    lines.forEach(line -> s.append(line).append(nl));
    return s.append(c).append(' ').append(END).append(nl).toString();
  }

  /** The same behind a last line that has no line end. */
  public String atEnd(List<String> lines, String nl) {
    String gate = around(lines, nl);
    int end = gate.lastIndexOf(END);
    return nl + gate.substring(0, end) + END_NO_NEWLINE + nl;
  }

  /** The bytes of a file without its gates; the file's own array where there are none. */
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

  /** The line of a file that a line of it without its gates stands in. */
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

  /** Number of gates in a file. */
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

  /** What a gate's line says; empty for all other lines. */
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
   * What stands in a build file's gates and would count where ROCm is off: empty if nothing does,
   * so that a build for CUDA reads what it read before.
   */
  public Optional<String> leak(SourceFile file) {
    return language.leak(file, line -> markOf(file, line));
  }
}
