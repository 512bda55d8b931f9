package dev.rocport.lang.python;

import dev.rocport.core.source.SourceFile;
import dev.rocport.io.Sha256;
import dev.rocport.lang.python.syntax.PythonFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files of a tree that pass symmetric memory to each other: those that use it, those that they
 * import, and those that import one of these and call {@code torch.compile}. They are analyzed
 * together.
 */
final class SymmetricFiles {
  /** Beyond this number of bytes, each file is analyzed alone. */
  private static final int MOST = 2 << 20;

  private final PythonImports imports;
  private final Set<String> using = new TreeSet<>();
  private final Set<String> compiling = new TreeSet<>();
  private final SortedMap<String, Linked> linked = new TreeMap<>();
  private PythonModules modules;

  /** A valid file that is analyzed with others. */
  private record Linked(byte[] bytes, PythonFile parsed) {}

  SymmetricFiles(PythonImports imports) {
    this.imports = imports;
    this.modules = new PythonModules(imports, Map.of());
  }

  /** Notes whether a file uses symmetric memory, or compiles. */
  void note(String path, String text) {
    if (Notebook.isNotebook(path)) {
      return;
    }
    if (text.contains("symm_mem") || text.contains("symmetric_memory")) {
      using.add(path);
    }
    if (text.contains("compile")) {
      compiling.add(path);
    }
  }

  /**
   * Reads the files.
   *
   * @param imported the files that each file imports
   */
  void link(Map<String, Set<String>> imported, PythonProject.Reader reader) {
    Set<String> all = new TreeSet<>(using);
    // A package passes on what its modules define.
    for (int i = 0; i < 2; i++) {
      Set<String> more = new TreeSet<>();
      all.forEach(p -> more.addAll(imported.getOrDefault(p, Set.of())));
      all.addAll(more);
    }
    for (String p : compiling) {
      Set<String> direct = imported.getOrDefault(p, Set.of());
      Set<String> packages = new TreeSet<>();
      for (String q : direct) {
        if (q.endsWith(PythonImports.INIT)) {
          packages.add(q);
        }
      }
      if (direct.stream().anyMatch(using::contains)) {
        all.add(p);
      } else if (packages.stream()
          .anyMatch(q -> imported.getOrDefault(q, Set.of()).stream().anyMatch(using::contains))) {
        all.add(p);
        all.addAll(packages);
      }
    }
    read(all, reader);
  }

  private void read(Set<String> all, PythonProject.Reader reader) {
    linked.clear();
    SortedMap<String, PythonTree> trees = new TreeMap<>();
    long size = 0;
    for (String path : all) {
      try {
        SourceFile file = new SourceFile(path, reader.read(path)).withLineFeeds();
        size += file.length();
        PythonFile parsed = PythonFile.parse(file.bytes());
        if (parsed.problems().isEmpty()) {
          trees.put(path, PythonTree.of(file, parsed));
          linked.put(path, new Linked(file.bytes(), parsed));
        }
      } catch (IOException e) {
        // Its port fails in the same way and reports it.
      }
      if (size > MOST) {
        linked.clear();
        return;
      }
    }
    modules = new PythonModules(imports, trees);
  }

  /** Returns the tree of a file, which the analysis of several files has already if it is one. */
  PythonFile parsed(SourceFile file) {
    Linked known = linked(file);
    return known == null ? PythonFile.parse(file.bytes()) : known.parsed();
  }

  private @Nullable Linked linked(SourceFile file) {
    Linked known = linked.get(file.path());
    return known != null && Arrays.equals(known.bytes(), file.bytes()) ? known : null;
  }

  /** Returns the files that a file is analyzed with, or the file alone. */
  PythonModules of(SourceFile file, PythonFile parsed) {
    return linked(file) != null
        ? modules
        : new PythonModules(imports, Map.of(file.path(), PythonTree.of(file, parsed)));
  }

  /** Returns the hashes of the files by path, if there are several. */
  Map<String, String> hashes() {
    Map<String, String> hashes = new TreeMap<>();
    if (linked.size() > 1) {
      linked.forEach((path, file) -> hashes.put(path, Sha256.of(file.bytes())));
    }
    return hashes;
  }
}
