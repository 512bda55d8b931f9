package dev.rocport.singlesource;

import dev.rocport.buildsystem.BuildFiles;
import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.lang.python.PythonView;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares two trees: checks that the new tree differs from the old one only in gates, so that an
 * NVIDIA build is unchanged. Gates of any origin are accepted.
 */
public final class Isolation {
  private final Set<String> macros;

  /**
   * @param macros macros that are defined only in AMD builds
   */
  public Isolation(Set<String> macros) {
    this.macros = Set.copyOf(macros);
  }

  /** Result for one file. */
  public enum Verdict {
    /** Identical bytes. */
    IDENTICAL,
    /** Identical after the gates are resolved. */
    GATED,
    /** A new file, which a compile of the old files does not read. */
    ADDED,
    /** A file of the old tree that is missing. */
    MISSING,
    /** Different for NVIDIA builds. */
    DIFFERS,
    /** Different, in a language whose gates cannot be resolved. */
    UNKNOWN;

    /** Returns true if the old file is proven to be untouched. */
    public boolean holds() {
      return this == IDENTICAL || this == GATED || this == ADDED;
    }
  }

  /**
   * One file.
   *
   * @param path relative to the trees' roots
   * @param gates conditionals that were resolved
   * @param line first line of the new file that differs from the old one; 0 if there is none
   * @param oldLine the corresponding line of the old file; 0 if there is none
   * @param was the old line
   * @param is the new line
   * @param message the problem; empty if there is none
   */
  public record Checked(
      String path,
      Verdict verdict,
      int gates,
      int line,
      int oldLine,
      String was,
      String is,
      String message) {
    private static Checked of(String path, Verdict verdict, String message) {
      return new Checked(path, verdict, 0, 0, 0, "", "", message);
    }
  }

  /**
   * Compares two trees, or two files.
   *
   * @return all files of both, in order of the path
   * @throws IOException if a file cannot be read
   */
  public List<Checked> compare(SourceTree before, SourceTree after, boolean files)
      throws IOException {
    Map<String, TreeEntry> old = entries(before, files);
    Map<String, TreeEntry> now = entries(after, files);
    Set<String> paths = new TreeSet<>(old.keySet());
    paths.addAll(now.keySet());
    Modules modules = modules(now.values());
    List<Checked> checked = new ArrayList<>();
    for (String path : paths) {
      TreeEntry a = old.get(path);
      TreeEntry b = now.get(path);
      if (a == null) {
        checked.add(Checked.of(path, Verdict.ADDED, ""));
      } else if (b == null) {
        checked.add(Checked.of(path, Verdict.MISSING, "is not in the new tree"));
      } else {
        checked.add(check(path, a, b, modules));
      }
    }
    return checked;
  }

  private static Map<String, TreeEntry> entries(SourceTree tree, boolean file) {
    Map<String, TreeEntry> map = new TreeMap<>();
    tree.entries().forEach(e -> map.put(file ? "" : e.path(), e));
    return map;
  }

  private Checked check(String key, TreeEntry a, TreeEntry b, Modules gateModules)
      throws IOException {
    String path = key.isEmpty() ? b.path() : key;
    if (a.kind() == FileKind.UNREADABLE || b.kind() == FileKind.UNREADABLE) {
      throw new IOException(path + " cannot be read");
    }
    if (a.kind() == FileKind.LINK || b.kind() == FileKind.LINK) {
      boolean same = a.kind() == b.kind() && a.note().equals(b.note());
      return Checked.of(
          path,
          same ? Verdict.IDENTICAL : Verdict.DIFFERS,
          same ? "" : "the symbolic link has a different target");
    }
    if (a.kind() == FileKind.SKIPPED || b.kind() == FileKind.SKIPPED) {
      boolean same = a.kind() == b.kind() && a.note().equals(b.note());
      String left = b.kind() == FileKind.SKIPPED ? b.note() : a.note();
      return Checked.of(
          path, same ? Verdict.IDENTICAL : Verdict.UNKNOWN, same ? "" : "was not checked: " + left);
    }
    SourceFile before = new SourceFile(path, Files.readAllBytes(a.file()));
    SourceFile after = new SourceFile(path, Files.readAllBytes(b.file()));
    if (Arrays.equals(before.bytes(), after.bytes())) {
      return Checked.of(path, Verdict.IDENTICAL, "");
    }
    Optional<BuildGate> gate =
        BuildFiles.gate(path)
            .filter(g -> !BuildFileNames.isCMake(path) || g.count(after) > 0)
            .filter(g -> before.encoding().isText() && after.encoding().isText());
    if (gate.isPresent()) {
      return build(gate.get(), before, after);
    }
    if (BuildFileNames.isCMake(path) && before.encoding().isText() && after.encoding().isText()) {
      return cmake(before, after);
    }
    if (a.kind() == FileKind.PYTHON && b.kind() == FileKind.PYTHON) {
      return python(before, after, gateModules);
    }
    if (!a.isSource() && !b.isSource()) {
      return Checked.of(
          path,
          Verdict.UNKNOWN,
          "differs, and gates are resolved only in C, C++, Python, CMake, automake, and make"
              + " files");
    }
    if (!before.encoding().isText() || !after.encoding().isText()) {
      return Checked.of(path, Verdict.DIFFERS, "is not a text file, and its bytes differ");
    }
    try {
      return check(before, after);
    } catch (StackOverflowError e) {
      return Checked.of(path, Verdict.UNKNOWN, "is nested too deeply to parse");
    }
  }

  /**
   * The modules of the new tree from which Python gates are imported.
   *
   * @param sound modules whose gate is valid
   * @param unsound modules that redefine the gate
   */
  private record Modules(Set<String> sound, Set<String> unsound) {}

  private static Modules modules(Collection<TreeEntry> now) throws IOException {
    Modules found = new Modules(new HashSet<>(), new HashSet<>());
    for (TreeEntry e : now) {
      for (String name : PythonView.GATE_MODULES) {
        if (e.kind() == FileKind.PYTHON && ("/" + e.path()).endsWith("/" + name + ".py")) {
          boolean sound = PythonView.isGateModule(Files.readAllBytes(e.file()));
          (sound ? found.sound() : found.unsound()).add(name);
        }
      }
    }
    return found;
  }

  /** Compares two Python files. */
  private Checked python(SourceFile before, SourceFile after, Modules modules) {
    PythonView.View old = PythonView.of(before.withLineFeeds(), macros);
    PythonView.View now = PythonView.of(after.withLineFeeds(), macros);
    String path = after.path();
    if (!old.problem().isEmpty() || !now.problem().isEmpty()) {
      return Checked.of(
          path,
          Verdict.UNKNOWN,
          "differs, and " + (now.problem().isEmpty() ? old.problem() : now.problem()));
    }
    int at = Arrays.mismatch(old.bytes(), now.bytes());
    for (String module : at < 0 ? now.imports() : List.<String>of()) {
      if (modules.sound().contains(module) && !modules.unsound().contains(module)) {
        continue;
      }
      String why =
          "imports its gate from a module "
              + module
              + (modules.unsound().contains(module)
                  ? " that redefines it"
                  : " that was not checked");
      return Checked.of(path, Verdict.UNKNOWN, why);
    }
    if (at < 0) {
      return new Checked(path, Verdict.GATED, now.gates(), 0, 0, "", "", "");
    }
    int oldLine = before.line(Math.min(old.offset(at), Math.max(0, before.length() - 1)));
    int newLine = after.line(Math.min(now.offset(at), Math.max(0, after.length() - 1)));
    return new Checked(
        path,
        Verdict.DIFFERS,
        now.gates(),
        newLine,
        oldLine,
        text(before, oldLine),
        text(after, newLine),
        "differs from the old line");
  }

  /** Compares two build files in which gates are lines. */
  private static Checked build(BuildGate gate, SourceFile before, SourceFile after) {
    byte[] old = gate.strip(before);
    byte[] now = gate.strip(after);
    int at = Arrays.mismatch(old, now);
    String leak = gate.leak(after).orElse("");
    if (at < 0) {
      return new Checked(
          after.path(),
          leak.isEmpty() ? Verdict.GATED : Verdict.DIFFERS,
          gate.count(after),
          0,
          0,
          "",
          "",
          leak);
    }
    SourceFile a = new SourceFile(before.path(), old);
    SourceFile b = new SourceFile(after.path(), now);
    int oldLine = a.line(Math.min(at, a.length()));
    String is = text(b, Math.min(b.line(Math.min(at, b.length())), Math.max(1, b.lines())));
    return new Checked(
        after.path(),
        Verdict.DIFFERS,
        gate.count(after),
        gate.lineWithGates(after, b.line(Math.min(at, b.length()))),
        oldLine,
        text(a, Math.min(oldLine, Math.max(1, a.lines()))),
        is,
        "differs from the old line");
  }

  /** Compares two CMake files, in which gates are conditions on variables. */
  Checked cmake(SourceFile before, SourceFile after) {
    Optional<CMakeView.View> old = CMakeView.of(before, macros, List.of());
    Optional<CMakeView.View> now = old.flatMap(view -> CMakeView.of(after, macros, view.lines()));
    if (old.isEmpty() || now.isEmpty()) {
      return Checked.of(after.path(), Verdict.UNKNOWN, "differs, and cannot be parsed as CMake");
    }
    List<String> was = old.get().lines();
    List<String> is = now.get().lines();
    int at = 0;
    while (at < Math.min(was.size(), is.size()) && was.get(at).equals(is.get(at))) {
      at++;
    }
    if (at == was.size() && at == is.size()) {
      return new Checked(after.path(), Verdict.GATED, now.get().gates(), 0, 0, "", "", "");
    }
    boolean oldEnds = at == was.size();
    boolean newEnds = at == is.size();
    return new Checked(
        after.path(),
        Verdict.DIFFERS,
        now.get().gates(),
        newEnds ? after.lines() : now.get().numbers().get(at),
        oldEnds ? before.lines() : old.get().numbers().get(at),
        oldEnds ? "" : was.get(at).stripTrailing(),
        newEnds ? "" : is.get(at).stripTrailing(),
        difference(oldEnds, newEnds));
  }

  private static String difference(boolean oldEnds, boolean newEnds) {
    return oldEnds
        ? "continues where the old file ends"
        : newEnds ? "ends where the old file continues" : "differs from the old line";
  }

  /** Compares two C or C++ files. */
  Checked check(SourceFile before, SourceFile after) {
    PreprocessorView.View old = PreprocessorView.of(before, macros);
    PreprocessorView.View now = PreprocessorView.of(after, macros);
    int at = Arrays.mismatch(old.bytes(), now.bytes());
    if (at < 0) {
      return new Checked(after.path(), Verdict.GATED, now.gates(), 0, 0, "", "", "");
    }
    int oldAt = old.offset(at);
    int newAt = now.offset(at);
    boolean oldEnds = at >= old.bytes().length;
    boolean newEnds = at >= now.bytes().length;
    SourceFile oldText = before.withLineFeeds();
    SourceFile newText = after.withLineFeeds();
    int oldLine = oldText.line(Math.min(oldAt, Math.max(0, before.length() - 1)));
    int newLine = newText.line(Math.min(newAt, Math.max(0, after.length() - 1)));
    return new Checked(
        after.path(),
        Verdict.DIFFERS,
        now.gates(),
        newLine,
        oldLine,
        oldEnds ? "" : text(oldText, oldLine),
        newEnds ? "" : text(newText, newLine),
        difference(oldEnds, newEnds));
  }

  private static String text(SourceFile file, int line) {
    return file.text(file.lineStart(line), file.lineEnd(line));
  }
}
