package dev.rocport.lang.python;

import dev.rocport.core.source.SourceFile;
import dev.rocport.io.Checksum;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.PythonFile;
import dev.rocport.lang.python.syntax.Stmt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The modules of {@code hip-runtime/python} that are added to ported programs. */
public final class RuntimeModules {
  private static final Map<String, Content> CONTENTS = new ConcurrentHashMap<>();

  /**
   * What a module consists of.
   *
   * @param names its functions, classes and values
   * @param gate whether it imports the gate, and PyTorch with it
   */
  private record Content(Set<String> names, boolean gate) {}

  private RuntimeModules() {}

  /**
   * The content of a module.
   *
   * @param name without {@code .py}
   * @throws IOException if the installation lacks it
   */
  public static byte[] read(String name) throws IOException {
    return Files.readAllBytes(folder().resolve(name + ".py"));
  }

  /** Identifies the content of all modules, on which ports of Python files depend. */
  public static String key() {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.list(folder())) {
      for (Path file : files.filter(f -> f.toString().endsWith(".py")).sorted().toList()) {
        text.append(file.getFileName()).append(' ').append(Checksum.of(file)).append('\n');
      }
    } catch (IOException e) {
      return ""; // who needs one of them reports that
    }
    return text.toString();
  }

  /** Returns the folder of the modules, and all modules in order. */
  public static List<Path> files() throws IOException {
    List<Path> all = new ArrayList<>(List.of(folder()));
    try (Stream<Path> files = Files.list(folder())) {
      files.filter(f -> f.toString().endsWith(".py")).sorted().forEach(all::add);
    }
    return all;
  }

  private static Path folder() {
    return Path.of(System.getProperty("rocport.home", "."), "hip-runtime", "python");
  }

  /** True for a file that a port added: it is for ROCm already. */
  static boolean isOurs(String path, byte[] bytes) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.startsWith("_rocm")
        && new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.UTF_8)
            .contains("rocport");
  }

  /** What a module has at its top: functions, classes and values. */
  static Set<String> names(String module) {
    return content(module).names();
  }

  /** True for a module that imports the gate, and so needs PyTorch. */
  static boolean hasGate(String module) {
    return content(module).gate();
  }

  private static Content content(String module) {
    return CONTENTS.computeIfAbsent(
        module,
        m -> {
          try {
            SourceFile file = new SourceFile(m + ".py", read(m));
            PythonTree tree = PythonTree.of(file, PythonFile.parse(file.bytes()));
            Set<String> names = new TreeSet<>();
            tree.body().forEach(s -> add(s, names));
            return new Content(names, !tree.module().own(Gate.GATE).isEmpty());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static void add(Stmt s, Set<String> names) {
    switch (s) {
      case Stmt.Function f -> names.add(f.name());
      case Stmt.ClassOf c -> names.add(c.name());
      case Stmt.Assign a ->
          a.targets()
              .forEach(
                  t -> {
                    if (t instanceof Expr.Name n) {
                      names.add(n.id());
                    }
                  });
      default -> {}
    }
  }
}
