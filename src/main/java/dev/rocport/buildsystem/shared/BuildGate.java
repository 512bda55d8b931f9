package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The gates of a build file in a single-source port: whole lines between one line that opens and
 * one that closes, each recognised by its full text. Taking them all out gives the original.
 */
public final class BuildGate {
  private static final String BEGIN = "rocport: begin rocm";
  private static final String END = "rocport: end rocm";
  private static final String END_NO_NEWLINE = "rocport: end rocm, no newline";

  /** What may stand outside of conditionals on ROCm: it must do nothing where ROCm is off. */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "\\s*|#.*|[\\w.]+ \\+= (\\$\\(\\w*(ROCM|HIP)\\w*\\) ?)+|EXTRA_DIST \\+= [\\w./ -]+"
              + "|(AM_)?\\w*(ROCM|HIP)\\w* [+:]?=.*");

  /** All that may stand in a gate of CMake's: nothing where USE_ROCM is off. */
  private static final Pattern CMAKE =
      Pattern.compile(
          "(?:option\\(USE_ROCM \"[^\"]*\" OFF\\)\n)?if\\(USE_ROCM\\)\n"
              + "  include\\(\"\\$\\{CMAKE_CURRENT_LIST_DIR\\}/[\\w.-]+\\.rocm\\.cmake\""
              + "(?: NO_POLICY_SCOPE)?\\)\n  return\\(\\)\nendif\\(\\)\n");

  /** All that may stand in the first gate of a makefile, and in its second and last. */
  private static final List<Pattern> MAKE =
      List.of(
          Pattern.compile(
              "ifeq \\(\\$\\(USE_ROCM\\),1\\)\n"
                  + "include \\$\\(dir \\$\\(lastword"
                  + " \\$\\(MAKEFILE_LIST\\)\\)\\)[\\w.-]*rocm[\\w.-]*\n"
                  + "else\n"),
          Pattern.compile("endif\n"));

  /** All that may stand in the gate of a shell script, which is at its head. */
  private static final Pattern SCRIPT =
      Pattern.compile(
          "if \\[ \"\\$\\{USE_ROCM:-0\\}\" = 1 \\]; then\\n"
              + "  \\. \"\\$\\(dirname \"\\$0\"\\)/[\\w.-]*rocm[\\w.-]*\"\\n  exit\\nfi\\n");

  private BuildGate() {}

  /** The word that begins a comment that the tool drops. */
  private static String comment(String path) {
    boolean hash =
        BuildFileNames.isCMake(path)
            || BuildFileNames.isMakefile(path)
            || BuildFileNames.isShellScript(path);
    return path.endsWith(".am") ? "##" : hash ? "#" : "dnl";
  }

  /** True for files that can have such gates. */
  public static boolean serves(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    return name.endsWith(".am")
        || name.equals("configure.ac")
        || name.equals("configure.in")
        || BuildFileNames.isCMake(path)
        || BuildFileNames.isMakefile(path)
        || BuildFileNames.isShellScript(path);
  }

  /** Lines behind a gate; each of them and the gate's own end in {@code nl}. */
  public static String around(String path, List<String> lines, String nl) {
    String c = comment(path);
    StringBuilder s = new StringBuilder(c).append(' ').append(BEGIN).append(nl);
    lines.forEach(line -> s.append(line).append(nl));
    return s.append(c).append(' ').append(END).append(nl).toString();
  }

  /** The same behind a last line that has no line end. */
  public static String atEnd(String path, List<String> lines, String nl) {
    String gate = around(path, lines, nl);
    int end = gate.lastIndexOf(END);
    return nl + gate.substring(0, end) + END_NO_NEWLINE + nl;
  }

  /** The bytes of a file without its gates; the file's own array where there are none. */
  public static byte[] strip(SourceFile file) {
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
  public static int lineWithGates(SourceFile file, int stripped) {
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
  public static int count(SourceFile file) {
    int n = 0;
    for (int line = 1; line <= file.lines(); line++) {
      n += mark(file, line).equals(BEGIN) ? 1 : 0;
    }
    return n;
  }

  private static boolean closesWithoutNewline(SourceFile file, int begin) {
    for (int line = begin + 1; line <= file.lines(); line++) {
      String text = mark(file, line);
      if (text.equals(END) || text.equals(END_NO_NEWLINE)) {
        return text.equals(END_NO_NEWLINE);
      }
    }
    return false;
  }

  /** What a gate's line says; empty for all other lines. */
  private static String mark(SourceFile file, int line) {
    String text = file.text(file.lineStart(line), file.lineEnd(line));
    String c = comment(file.path()) + " ";
    String rest = text.startsWith(c) ? text.substring(c.length()) : "";
    return rest.equals(BEGIN) || rest.equals(END) || rest.equals(END_NO_NEWLINE) ? rest : "";
  }

  /**
   * What stands in a build file's gates and would count where ROCm is off: empty if nothing does,
   * so that a build for CUDA reads what it read before.
   */
  public static Optional<String> leak(SourceFile file) {
    if (BuildFileNames.isCMake(file.path())) {
      return leakOfCMake(file);
    }
    if (BuildFileNames.isShellScript(file.path())) {
      return leakOfScript(file);
    }
    if (BuildFileNames.isMakefile(file.path())) {
      return leakOfMake(file);
    }
    if (!file.path().endsWith(".am")) {
      return Optional.empty();
    }
    List<Boolean> open = new ArrayList<>();
    boolean inside = false;
    for (int line = 1; line <= file.lines(); line++) {
      String text = file.text(file.lineStart(line), file.lineEnd(line));
      String mark = mark(file, line);
      if (!mark.isEmpty()) {
        inside = mark.equals(BEGIN);
        continue;
      }
      if (!inside) {
        continue;
      }
      String word = text.strip();
      if (word.matches("if !?\\w*(ROCM|HIP)\\w*")) {
        open.add(!word.contains("!"));
      } else if (word.matches("if !?\\w+") && open.contains(true)) {
        open.add(true);
      } else if (word.matches("else( !?\\w+)?") && !open.isEmpty()) {
        open.set(
            open.size() - 1, !open.getLast() || open.subList(0, open.size() - 1).contains(true));
      } else if (word.matches("endif( !?\\w+)?") && !open.isEmpty()) {
        open.removeLast();
      } else if (!open.contains(true) && !HARMLESS.matcher(text).matches()) {
        return Optional.of("line " + line + " counts where ROCm is off: " + word);
      }
    }
    return open.isEmpty() ? Optional.empty() : Optional.of("a conditional on ROCm is never closed");
  }

  private static Optional<String> leakOfCMake(SourceFile file) {
    StringBuilder inside = new StringBuilder();
    for (int line = 1; line <= file.lines(); line++) {
      String mark = mark(file, line);
      if (mark.equals(BEGIN)) {
        inside.setLength(0);
      } else if (!mark.isEmpty() && !CMAKE.matcher(inside).matches()) {
        return Optional.of("the gate that ends in line " + line + " is not one of the port's");
      } else {
        inside.append(file.text(file.lineStart(line), file.lineEnd(line))).append('\n');
      }
    }
    return Optional.empty();
  }

  /** A makefile has two gates: one at its head, where it hands over to its twin, and one behind. */
  private static Optional<String> leakOfMake(SourceFile file) {
    int gates = 0;
    boolean inside = false;
    StringBuilder text = new StringBuilder();
    for (int line = 1; line <= file.lines(); line++) {
      String mark = mark(file, line);
      String all = file.text(file.lineStart(line), file.lineEnd(line));
      if (mark.equals(BEGIN)) {
        text.setLength(0);
        inside = true;
        gates++;
      } else if (!mark.isEmpty()) {
        inside = false;
        if (gates > MAKE.size() || !MAKE.get(gates - 1).matcher(text).matches()) {
          return Optional.of("the gate that ends in line " + line + " is not one of the port's");
        }
      } else if (inside) {
        text.append(all).append('\n');
      } else if (!all.isEmpty() && ((gates == 0 && !all.startsWith("#!")) || gates == 2)) {
        return Optional.of("line " + line + " stands outside of the gates");
      }
    }
    return gates == 1 ? Optional.of("the condition on ROCm is never closed") : Optional.empty();
  }

  /** A script has one gate, at its head. */
  private static Optional<String> leakOfScript(SourceFile file) {
    StringBuilder inside = new StringBuilder();
    for (int line = 1; line <= file.lines(); line++) {
      String mark = mark(file, line);
      if (mark.equals(BEGIN)) {
        inside.setLength(0);
        if (line > 2 || (line == 2 && file.bytes()[0] != '#')) {
          return Optional.of("line " + line + ": the gate does not stand at the head");
        }
      } else if (!mark.isEmpty() && !SCRIPT.matcher(inside).matches()) {
        return Optional.of("the gate that ends in line " + line + " is not one of the port's");
      } else {
        inside.append(file.text(file.lineStart(line), file.lineEnd(line))).append('\n');
      }
    }
    return Optional.empty();
  }
}
