package dev.rocport.lang.python;

import static dev.rocport.lang.python.PythonImports.folder;
import static dev.rocport.lang.python.PythonImports.inFolder;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.PythonFile;
import dev.rocport.lang.python.syntax.Stmt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the Python files of a tree import each other: packages, and scripts in one folder. */
public final class PythonProject {
  /** A tree of the current file only. */
  public static final PythonProject NONE = new PythonProject(Set.of(), CopiedFolders.NONE);

  /** Python modules that a file of the same name in a folder does not necessarily replace. */
  private static final Set<String> STANDARD =
      Set.of(
          "abc",
          "ast",
          "calendar",
          "code",
          "collections",
          "copy",
          "dataclasses",
          "datetime",
          "enum",
          "functools",
          "inspect",
          "io",
          "json",
          "logging",
          "math",
          "multiprocessing",
          "numbers",
          "operator",
          "os",
          "pathlib",
          "pickle",
          "platform",
          "profile",
          "queue",
          "random",
          "re",
          "select",
          "signal",
          "statistics",
          "string",
          "struct",
          "sys",
          "test",
          "time",
          "timeit",
          "token",
          "torch",
          "trace",
          "types",
          "typing",
          "uuid",
          "warnings");

  private static final Pattern IMPORT =
      Pattern.compile(
          "(?m)^[ \\t]*(?:from[ \\t]+([\\w.]+)[ \\t]+import\\b[ \\t]*(\\([^)]*\\)|[^\\r\\n#;(]*)"
              + "|import[ \\t]+([^\\r\\n#;]+))");

  /** The names in a list of imports. */
  private static final Pattern IMPORTED =
      Pattern.compile("([\\w.]+)(?:\\s+as\\s+\\w+)?\\s*(?:#[^\\r\\n]*)?(?:,|\\)|$)");

  private final Set<String> paths;
  private final CopiedFolders copies;

  /** Paths of port modules for which the project already has a module of that name. */
  private final Set<String> foreign = new HashSet<>();

  /** Paths of modules that some file beside them imports by their bare name. */
  private final Set<String> siblings = new HashSet<>();

  /** The files of the tree that each file imports. */
  private final Map<String, Set<String>> imports = new TreeMap<>();

  private final PythonImports files;
  private final EightBits eightBits;
  private boolean joined;
  private final SymmetricFiles symmetric;

  private PythonProject(Set<String> paths, CopiedFolders copies) {
    this.paths = paths;
    this.copies = copies;
    this.files = new PythonImports(paths);
    this.eightBits = new EightBits(files);
    this.symmetric = new SymmetricFiles(files);
  }

  /**
   * A project of these files.
   *
   * @param paths all files of the tree, relative, with slashes
   */
  public static PythonProject of(Collection<String> paths) {
    return of(paths, CopiedFolders.NONE);
  }

  /**
   * The same.
   *
   * @param copies the folders with copies of libraries
   */
  public static PythonProject of(Collection<String> paths, CopiedFolders copies) {
    return new PythonProject(new HashSet<>(paths), copies);
  }

  CopiedFolders copies() {
    return copies;
  }

  /** Notes which files a Python file imports from its own folder. */
  public void note(String path, byte[] bytes) {
    if (isOfPort(path) && !RuntimeModules.isOurs(path, bytes)) {
      foreign.add(path);
    }
    boolean concerned = PythonPorter.concerns(bytes);
    // The init file of a package passes on what the modules define.
    if ((!concerned && !path.endsWith(PythonImports.INIT)) || RuntimeModules.isOurs(path, bytes)) {
      return;
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Set<String> targets = new TreeSet<>();
    Set<String> bare = new TreeSet<>();
    Matcher m = IMPORT.matcher(text);
    while (m.find()) {
      if (m.group(1) != null) {
        bare.add(m.group(1));
        from(path, m.group(1), m.group(2), targets);
      } else {
        for (String name : m.group(3).split(",")) {
          String module = name.strip().split("\\s")[0];
          bare.add(module);
          files.file(path, module).ifPresent(targets::add);
        }
      }
    }
    if (concerned) {
      bare.forEach(module -> sibling(folder(path), module));
    }
    imports.put(path, targets);
    joined = false;
    if (concerned) {
      symmetric.note(path, text);
      eightBits.note(path, bytes, text);
    }
  }

  /** {@code from module import names}: of a package, the names can be modules. */
  private void from(String path, String module, String names, Set<String> targets) {
    Optional<String> file = files.file(path, module);
    file.ifPresent(targets::add);
    if (file.isPresent() ? file.get().endsWith(PythonImports.INIT) : module.startsWith(".")) {
      String prefix = module.endsWith(".") ? module : module + ".";
      Matcher m = IMPORTED.matcher(names);
      while (m.find()) {
        files.file(path, prefix + m.group(1)).ifPresent(targets::add);
      }
    }
  }

  /** Reads files of the tree. */
  public interface Reader {
    /** Returns the content of a file. */
    byte[] read(String path) throws IOException;
  }

  /** Analyzes together the files that pass symmetric memory to each other; after all are noted. */
  public void link(Reader reader) {
    symmetric.link(imports, reader);
  }

  /** Returns the tree of a file; the files that are analyzed together have one already. */
  PythonFile parsed(SourceFile file) {
    return symmetric.parsed(file);
  }

  /** Returns the files that a file is analyzed with, or the file alone; with its tree. */
  PythonModules modules(SourceFile file, PythonFile parsed) {
    return symmetric.of(file, parsed);
  }

  /** Returns what the files of the program that a file belongs to do with 8-bit types. */
  synchronized EightBits.Uses eightBits(String path) {
    if (!joined) {
      eightBits.join(imports);
      joined = true;
    }
    return eightBits.of(path);
  }

  private static boolean isOfPort(String path) {
    return path.substring(path.lastIndexOf('/') + 1).startsWith("_rocm");
  }

  /** A dotted name is that of a package's module, whose own folder is another one. */
  private void sibling(String folder, String module) {
    String path = inFolder(folder, module + ".py");
    if (module.indexOf('.') < 0 && paths.contains(path)) {
      siblings.add(path);
    }
  }

  /** Returns what the ports of Python files depend on, beside the file itself. */
  public synchronized String key() {
    StringBuilder text = new StringBuilder();
    line(text, "copies", copies.key());
    paths.stream().filter(p -> p.endsWith(".py")).sorted().forEach(p -> line(text, "file", p));
    foreign.stream().sorted().forEach(p -> line(text, "foreign", p));
    siblings.stream().sorted().forEach(p -> line(text, "sibling", p));
    eightBits.paths().forEach(p -> line(text, p, eightBits(p).toString()));
    symmetric.hashes().forEach((p, hash) -> line(text, p, hash));
    return text.toString();
  }

  private static void line(StringBuilder text, String what, String of) {
    text.append(what).append('\t').append(of).append('\n');
  }

  /** Where a file gets its gate from. */
  Home home(String path, List<Stmt> body, boolean isProgram) {
    Home home = found(path, body, isProgram);
    String folder =
        switch (home) {
          case Home.Module m -> m.folder();
          case Home.Own o -> folder(path);
        };
    boolean taken = foreign.stream().anyMatch(f -> folder(f).equals(folder));
    return taken ? new Home.Own(true) : home;
  }

  private Home found(String path, List<Stmt> body, boolean isProgram) {
    String folder = folder(path);
    if (files.isPackage(folder)) {
      String top = files.top(path);
      int depth = 1 + (int) folder.substring(top.length()).chars().filter(c -> c == '/').count();
      String name = top.substring(top.lastIndexOf('/') + 1);
      boolean relative = path.endsWith(PythonImports.INIT) || importsRelatively(body);
      if (relative) {
        return new Home.Module(top, ".".repeat(depth));
      }
      if (!name.isEmpty() && importsFrom(body, name)) {
        return new Home.Module(top, name);
      }
      if (!isProgram && !siblings.contains(path) && !importsSibling(folder, body)) {
        return new Home.Module(top, ".".repeat(depth));
      }
    }
    return importsSibling(folder, body) ? new Home.Module(folder, "") : new Home.Own(false);
  }

  private static boolean importsRelatively(List<Stmt> body) {
    return body.stream().anyMatch(s -> s instanceof Stmt.ImportFrom f && f.level() > 0);
  }

  private static boolean importsFrom(List<Stmt> body, String name) {
    return body.stream().anyMatch(s -> modules(s).stream().anyMatch(m -> root(m).equals(name)));
  }

  private boolean importsSibling(String folder, List<Stmt> body) {
    return body.stream()
        .flatMap(s -> modules(s).stream())
        .filter(m -> m.indexOf('.') < 0 && !STANDARD.contains(m))
        .anyMatch(m -> paths.contains(inFolder(folder, m + ".py")));
  }

  private static List<String> modules(Stmt s) {
    return switch (s) {
      case Stmt.Import i -> i.names().stream().map(Stmt.Alias::name).toList();
      case Stmt.ImportFrom f when f.level() == 0 -> List.of(f.module());
      default -> List.of();
    };
  }

  static String root(String module) {
    int dot = module.indexOf('.');
    return dot < 0 ? module : module.substring(0, dot);
  }
}
