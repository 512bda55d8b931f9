package dev.rocport.build.plan;

import dev.rocport.build.plan.ScannedFile.Include;
import dev.rocport.build.unit.Language;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Walks a tree and reads its sources and headers. Skips hidden folders. */
public final class TreeScan {
  private static final int SIZE_LIMIT = 64 << 20;
  private static final Set<String> HEADERS =
      Set.of(
          "h", "hpp", "hh", "hxx", "h++", "cuh", "tcu", "inl", "inc", "ipp", "tpp", "txx", "def");
  private static final Set<String> DEVICE_WORDS =
      Set.of("__global__", "__device__", "__shared__", "__constant__", "hipLaunchKernelGGL");

  private final SortedMap<String, ScannedFile> files = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();

  private TreeScan() {}

  /**
   * Reads all sources of a tree.
   *
   * @param skipped folders to skip
   * @throws IOException if the root cannot be read
   */
  public static TreeScan of(Path root, Set<Path> skipped) throws IOException {
    TreeScan scan = new TreeScan();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes a) {
            boolean hidden = folder.getFileName().toString().startsWith(".");
            return !folder.equals(root)
                    && (hidden || skipped.contains(folder) || isBuildFolder(folder))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
            scan.visit(root, file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(root)) {
              throw e;
            }
            scan.notes.add(relative(root, file) + ": unreadable; left out");
            return FileVisitResult.CONTINUE;
          }
        });
    return scan;
  }

  /** Returns whether CMake or rocport build made a folder. */
  private static boolean isBuildFolder(Path folder) {
    return Files.exists(folder.resolve("CMakeCache.txt"))
        || Files.exists(folder.resolve(BuildOptions.MARKER));
  }

  private void visit(Path root, Path file) {
    String path = relative(root, file);
    boolean unit = Language.ofFile(path).isPresent();
    if ((!unit && !isHeader(path)) || !Files.isRegularFile(file)) {
      return;
    }
    try {
      if (Files.size(file) > SIZE_LIMIT) {
        notes.add(path + ": too large; left out");
        return;
      }
      SourceFile source = new SourceFile(path, Files.readAllBytes(file));
      if (!source.encoding().isText()) {
        notes.add(path + ": not a text file; left out");
        return;
      }
      files.put(path, scan(path, Lexer.lex(source)));
    } catch (IOException e) {
      notes.add(path + ": unreadable; left out");
    }
  }

  private static boolean isHeader(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot >= 0 && HEADERS.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

  static ScannedFile scan(String path, Tokens tokens) {
    List<Include> includes = new ArrayList<>();
    List<String> computed = new ArrayList<>();
    for (Directive d : tokens.directives()) {
      ComputedIncludes.macro(tokens, d).ifPresent(computed::add);
      int body = d.body();
      if (d.isInclude() && body < d.last() && tokens.kind(body) != Tokens.IDENTIFIER) {
        String text = tokens.text(body);
        boolean quoted = tokens.kind(body) == Tokens.STRING;
        if (text.length() > 2 && (quoted || tokens.kind(body) == Tokens.HEADER)) {
          includes.add(new Include(text.substring(1, text.length() - 1).strip(), quoted));
        }
      }
    }
    return new ScannedFile(
        path, includes, computed, ComputedIncludes.values(tokens), hasDeviceCode(tokens));
  }

  private static boolean hasDeviceCode(Tokens tokens) {
    for (int i = 0; i < tokens.count(); i++) {
      if (tokens.isIdentifier(i)
          ? tokens.text(i).length() > 9 && DEVICE_WORDS.contains(tokens.text(i))
          : tokens.is(i, '<')
              && tokens.is(i + 1, '<')
              && tokens.is(i + 2, '<')
              && tokens.touches(i)
              && tokens.touches(i + 1)) {
        return true;
      }
    }
    return false;
  }

  private static String relative(Path root, Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  /** Returns whether some file of the tree names a header in an include directive. */
  public boolean includes(String header) {
    return files.values().stream()
        .anyMatch(f -> f.includes().stream().anyMatch(i -> i.name().equals(header)));
  }

  /** Returns sources and headers by path. */
  SortedMap<String, ScannedFile> files() {
    return files;
  }

  List<String> notes() {
    return notes;
  }
}
