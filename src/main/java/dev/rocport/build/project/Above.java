package dev.rocport.build.project;

import dev.rocport.build.plan.PlanException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Files outside a folder that its build reads: files and folders that its build files, includes and
 * links name with {@code ..}, and the files that those name in turn. The number and size of these
 * files are limited.
 *
 * <p>Only literal paths are followed, not paths that a program computes at run time.
 */
final class Above {
  /** Limits for files outside the folder. */
  record Limits(int files, long bytes) {
    static final Limits USUAL = new Limits(10_000, 256L << 20);
  }

  /** A named file or folder that is not copied. */
  record Left(String file, String message) {}

  /** Maximum number of levels above the root of the file system that a name may have. */
  private static final int BEYOND = 64;

  /** Folders with rocport headers for the whole tree. */
  private static final String STATE = ".rocport";

  private final Path root;
  private final Limits limits;
  private final SortedMap<Path, BasicFileAttributes> files = new TreeMap<>();
  private final Set<Path> taken = new LinkedHashSet<>();
  private final Map<Path, Left> left = new LinkedHashMap<>();
  private final Map<Path, String> ancestors = new LinkedHashMap<>();
  private final Set<String> continuations = new LinkedHashSet<>();
  private final Deque<Path> unread = new ArrayDeque<>();
  private Optional<Path> headers = Optional.empty();
  private int levels;
  private int beyond;
  private long bytes;

  private Above(Path root, Limits limits) {
    this.root = root;
    this.limits = limits;
  }

  /** Returns an instance without files outside the folder. */
  static Above none(Path root) {
    return new Above(root, Limits.USUAL);
  }

  /**
   * Follows the names in the files of a folder.
   *
   * @param own the files of the folder
   * @throws PlanException if a name has too many levels of {@code ..}
   */
  static Above of(Path root, Collection<Path> own, Limits limits)
      throws IOException, PlanException {
    Above above = new Above(root, limits);
    own.forEach(above.unread::add);
    above.portedTree();
    above.follow();
    return above;
  }

  /** Returns the number of parent folders that the copy needs, so that no name leaves the copy. */
  int levels() {
    return levels;
  }

  /** Returns the number of folders that are needed above the copy of the file system root. */
  int beyond() {
    return beyond;
  }

  /** Returns the folders and files to copy. */
  SortedMap<Path, BasicFileAttributes> files() {
    return files;
  }

  /** Returns the rocport headers of the ported tree that contains the folder. */
  Optional<Path> headers() {
    return headers;
  }

  List<Left> left() {
    return List.copyOf(left.values());
  }

  /** Adds the headers in the root of the ported tree that contains the folder. */
  private void portedTree() throws IOException, PlanException {
    if (Files.isDirectory(root.resolve(STATE))) {
      return;
    }
    for (Path up = root.getParent(); up != null; up = up.getParent()) {
      if (Files.isDirectory(up.resolve(STATE))) {
        Path folder = up.resolve("rocport");
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
          reach(folder, "the ported tree");
          headers = taken.contains(folder) ? Optional.of(folder) : Optional.empty();
        }
        return;
      }
    }
  }

  private void follow() throws IOException, PlanException {
    while (!unread.isEmpty()) {
      while (!unread.isEmpty()) {
        read(unread.removeFirst());
      }
      // Paths after any variable that holds a parent folder.
      for (Map.Entry<Path, String> ancestor : List.copyOf(ancestors.entrySet())) {
        for (String name : continuations) {
          Path place = ancestor.getKey().resolve(name).normalize();
          if (!place.startsWith(root) && Files.exists(place)) {
            reach(place, ancestor.getValue());
          }
        }
      }
    }
  }

  private void read(Path file) throws IOException, PlanException {
    if (Files.isSymbolicLink(file)) {
      Path target = Files.readSymbolicLink(file);
      if (!target.isAbsolute()) {
        climb(file.resolveSibling(""), target, file);
      }
      return;
    }
    if (!Files.isRegularFile(file)) {
      return;
    }
    NamesAbove names = NamesAbove.in(file);
    continuations.addAll(names.continuations());
    Path folder = file.resolveSibling("");
    for (String name : names.fromFile()) {
      climb(folder, Path.of(name), file);
    }
    for (String name : names.fromAnywhere()) {
      climb(folder, Path.of(name), file);
      climb(root, Path.of(name), file);
    }
    if (!file.startsWith(root)) {
      for (String name : names.includes()) {
        Path place = folder.resolve(name).normalize();
        if (Files.isRegularFile(place)) {
          reach(place, shown(file));
        }
      }
    }
  }

  /**
   * Follows a name from a folder step by step, because an intermediate folder can be higher than
   * the target.
   */
  private void climb(Path from, Path name, Path by) throws IOException, PlanException {
    Path at = from.normalize();
    int over = 0;
    for (Path part : name) {
      if (part.toString().equals("..")) {
        Path parent = at.getParent();
        over += parent == null ? 1 : 0;
        at = parent == null ? at : parent;
        levels = Math.max(levels, up(at));
      } else if (!part.toString().equals(".")) {
        at = at.resolve(part);
      }
    }
    if (over > BEYOND) {
      throw new PlanException(
          "%s refers to a folder %d levels above /; correct the path".formatted(shown(by), over));
    }
    beyond = Math.max(beyond, over);
    if (over > 0) {
      left.putIfAbsent(at, new Left(shown(by), name + " is above / and is not copied"));
    } else if (!at.startsWith(root)) {
      reach(at, shown(by));
    }
  }

  /** Returns how many levels the common folder of a path and the root is above the root. */
  private int up(Path path) {
    int common = 0;
    int most = Math.min(root.getNameCount(), path.getNameCount());
    while (common < most && root.getName(common).equals(path.getName(common))) {
      common++;
    }
    return root.getNameCount() - common;
  }

  /** Adds a named path outside the root. */
  private void reach(Path place, String by) throws IOException, PlanException {
    levels = Math.max(levels, up(place));
    if (root.startsWith(place)) {
      ancestors.putIfAbsent(place, by);
      return;
    }
    Path name = place.getFileName();
    if (name != null && name.toString().matches(".*[*?%].*")) {
      Path folder = place.resolveSibling("");
      if (root.startsWith(folder)) {
        for (Path file : NamesAbove.matching(folder, name.toString())) {
          take(file, by);
        }
      } else {
        take(folder, by);
      }
      return;
    }
    // Headers include other headers from their own folder.
    Path folder = Files.isDirectory(place) ? place : place.resolveSibling("");
    boolean wanted = left.containsKey(folder);
    if (root.startsWith(folder)) {
      take(place, by);
    } else if (!take(folder, by) && !folder.equals(place) && take(place, by) && !wanted) {
      left.remove(folder);
    }
  }

  /** Returns true if the path is added or does not exist. */
  private boolean take(Path place, String by) throws IOException {
    if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)
        || taken.stream().anyMatch(place::startsWith)) {
      return true;
    }
    SortedMap<Path, BasicFileAttributes> found = new TreeMap<>();
    boolean fits = measure(place, found);
    if (!fits) {
      left.putIfAbsent(
          place,
          new Left(
              by,
              ("%s is not copied for the build: the folder that is built refers to more than %,d"
                      + " files or %,d MB outside itself; build its parent folder, or refer to"
                      + " fewer files")
                  .formatted(shown(place), limits.files(), limits.bytes() >> 20)));
      return false;
    }
    taken.add(place);
    left.remove(place);
    found.forEach(
        (file, a) -> {
          if (files.put(file, a) == null && !a.isDirectory()) {
            bytes += a.size();
            unread.add(file);
          }
        });
    return true;
  }

  /** Collects the files to copy; returns false if a limit is exceeded. */
  private boolean measure(Path place, SortedMap<Path, BasicFileAttributes> found)
      throws IOException {
    long[] more = {0};
    boolean[] fits = {true};
    Files.walkFileTree(
        place,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a) {
            if (dir.startsWith(root) || Mirror.isLeftOut(dir)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            return add(dir, a);
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
            more[0] += a.size();
            return add(file, a);
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // the build cannot read it either
          }

          private FileVisitResult add(Path path, BasicFileAttributes a) {
            found.put(path, a);
            fits[0] =
                files.size() + found.size() <= limits.files() && bytes + more[0] <= limits.bytes();
            return fits[0] ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
          }
        });
    return fits[0];
  }

  private String shown(Path file) {
    return root.relativize(file).toString();
  }

  /** Returns whether a link outside the folder leads to a path that is also copied. */
  boolean staysInside(Path link) throws IOException {
    Path target = Files.readSymbolicLink(link);
    long climbs = 0;
    for (Path part : target) {
      climbs += part.toString().equals("..") ? 1 : 0;
    }
    return !target.isAbsolute()
        && climbs < link.getNameCount()
        && up(link.resolveSibling("").resolve(target).normalize()) <= levels;
  }
}
