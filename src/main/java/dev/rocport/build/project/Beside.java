package dev.rocport.build.project;

import dev.rocport.build.link.LinkResolver;
import dev.rocport.build.plan.PlanException;
import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The files beside a folder that the compiler reads with it: those that the folder names with
 * {@code ..}, and headers of its checkout that the build of the checkout finds by include folders.
 *
 * @param files regular files outside the folder
 * @param includes folders in which the compiler finds headers of the checkout
 */
public record Beside(SortedSet<Path> files, List<Path> includes) {
  /** More than this is not worth the time of a check. */
  private static final Above.Limits LIMITS = new Above.Limits(3_000, 64L << 20);

  /**
   * Finds the files.
   *
   * @param root a folder; absolute
   * @param own its files
   * @param isForeign whether the compiler finds a header without flags
   * @throws PlanException if a name has too many levels of {@code ..}
   */
  public static Beside of(Path root, Collection<Path> own, Predicate<String> isForeign)
      throws IOException, PlanException {
    SortedSet<Path> files = new TreeSet<>();
    for (Path file : Above.of(root, own, LIMITS).files().keySet()) {
      if (Files.isRegularFile(file)) {
        files.add(file);
      }
    }
    return new Search(root, own, files, isForeign).run();
  }

  /** Follows the includes that neither the folder nor the files beside it resolve. */
  private static final class Search {
    private final Path root;
    private final Predicate<String> isForeign;
    private final Optional<Path> checkout;
    private final SortedSet<Path> files;
    private final Set<Path> includes = new LinkedHashSet<>();
    private final Deque<Path> unread = new ArrayDeque<>();

    /** Files of the folder, those beside it, and the headers of the checkout, by name. */
    private final Map<String, List<Path>> own;

    private final Map<String, List<Path>> beside;
    private Optional<Map<String, List<Path>>> headers = Optional.empty();

    Search(Path root, Collection<Path> own, SortedSet<Path> files, Predicate<String> isForeign) {
      this.root = root;
      this.isForeign = isForeign;
      this.checkout = checkout(root);
      this.files = files;
      this.own = byName(own);
      this.beside = byName(files);
      unread.addAll(own);
      unread.addAll(files);
    }

    private static Map<String, List<Path>> byName(Collection<Path> files) {
      Map<String, List<Path>> names = new HashMap<>();
      files.forEach(f -> names.computeIfAbsent(name(f), n -> new ArrayList<>()).add(f));
      return names;
    }

    private static String name(Path file) {
      return file.getFileName() + "";
    }

    /** Returns the folder above this one that version control made. */
    private static Optional<Path> checkout(Path root) {
      Path home = Path.of(System.getProperty("user.home"));
      for (Path up = root; up != null && !up.equals(home); up = up.getParent()) {
        if (Files.exists(up.resolve(".git"))) {
          return up.equals(root) ? Optional.empty() : Optional.of(up);
        }
      }
      return Optional.empty();
    }

    Beside run() throws IOException {
      if (files.isEmpty() && checkout.isEmpty()) {
        return new Beside(files, List.of());
      }
      while (!unread.isEmpty()) {
        Path file = unread.removeFirst();
        if (NamesAbove.isSource(file)) {
          for (String include : NamesAbove.in(file).continuations()) {
            follow(file, include);
          }
        }
      }
      return new Beside(files, List.copyOf(includes));
    }

    private void follow(Path file, String include) throws IOException {
      Path sibling = file.resolveSibling(include);
      if (Files.isRegularFile(sibling)) {
        if (!sibling.startsWith(root)) {
          add(sibling);
        }
        return;
      }
      if (!ending(own, include).isEmpty() || isForeign.test(include)) {
        return;
      }
      List<Path> candidates = ending(beside, include);
      if (candidates.isEmpty() && checkout.isPresent()) {
        candidates = ending(headers(checkout.get()), include);
      }
      if (candidates.isEmpty()) {
        return;
      }
      List<String> names = candidates.stream().map(PathText::of).toList();
      Path header = candidates.get(names.indexOf(LinkResolver.nearest(PathText.of(file), names)));
      Path folder = header;
      for (int i = 0; i < Path.of(include).getNameCount(); i++) {
        folder = folder.resolveSibling("");
      }
      includes.add(folder);
      add(header);
    }

    private void add(Path header) {
      if (files.add(header)) {
        beside.computeIfAbsent(name(header), n -> new ArrayList<>()).add(header);
        unread.add(header);
      }
    }

    private static List<Path> ending(Map<String, List<Path>> files, String include) {
      Path end = Path.of(include);
      return files.getOrDefault(name(end), List.of()).stream()
          .filter(f -> f.endsWith(end))
          .toList();
    }

    private Map<String, List<Path>> headers(Path top) throws IOException {
      if (headers.isEmpty()) {
        headers = Optional.of(byName(headersOf(top)));
      }
      return headers.get();
    }

    /** Returns the headers in a checkout outside the folder, without those of other ports. */
    private SortedSet<Path> headersOf(Path top) throws IOException {
      SortedSet<Path> found = new TreeSet<>();
      Files.walkFileTree(
          top,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a) {
              boolean isPort = Files.exists(dir.resolve(".rocport"));
              return dir.equals(root) || isPort || Mirror.isLeftOut(dir)
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
              if (a.isRegularFile() && NamesAbove.isSource(file)) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // the compiler cannot read it either
            }
          });
      return found;
    }
  }
}
