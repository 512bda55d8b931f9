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
 * What the build of a folder reads beside that folder: the files and folders that its build files,
 * includes and links name with {@code ..}, and what those name in turn. What nobody names is left
 * alone, and what is named is taken only up to a number of files and bytes.
 *
 * <p>Names are followed as text: paths that a program puts together while it runs are not seen.
 */
final class Above {
  /** The most that is taken from beside the folder. */
  record Limits(int files, long bytes) {
    static final Limits USUAL = new Limits(10_000, 256L << 20);
  }

  /** Something named that is not taken. */
  record Left(String file, String message) {}

  /** Levels above the file system's root that a name may ask for; there is no such folder. */
  private static final int BEYOND = 64;

  /** Folders of a port's state, whose headers serve the whole tree. */
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

  /** Nothing beside the folder. */
  static Above none(Path root) {
    return new Above(root, Limits.USUAL);
  }

  /**
   * Follows what a folder's files name.
   *
   * @param own the folder's files
   * @throws PlanException if a name reaches absurdly far up
   */
  static Above of(Path root, Collection<Path> own, Limits limits)
      throws IOException, PlanException {
    Above above = new Above(root, limits);
    own.forEach(above.unread::add);
    above.portedTree();
    above.follow();
    return above;
  }

  /** How many folders above the folder its copy must have, so that no name leaves the copy. */
  int levels() {
    return levels;
  }

  /** How many more there must be above the copy of the file system's root. */
  int beyond() {
    return beyond;
  }

  /** Folders and files to copy. */
  SortedMap<Path, BasicFileAttributes> files() {
    return files;
  }

  /** The headers of the ported tree that the folder is a part of. */
  Optional<Path> headers() {
    return headers;
  }

  List<Left> left() {
    return List.copyOf(left.values());
  }

  /** A folder inside of a ported tree includes the headers in that tree's root. */
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
      // What a variable that holds a folder above goes on to, whichever variable that is.
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

  /** Follows a name from a folder, step by step: on the way it may come higher than its end. */
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
          "%s names a folder %d levels above /: correct it".formatted(shown(by), over));
    }
    beyond = Math.max(beyond, over);
    if (over > 0) {
      left.putIfAbsent(at, new Left(shown(by), name + " reaches above /, and is not copied"));
    } else if (!at.startsWith(root)) {
      reach(at, shown(by));
    }
  }

  /** How many folders a path's common folder with the root lies above the root. */
  private int up(Path path) {
    int common = 0;
    int most = Math.min(root.getNameCount(), path.getNameCount());
    while (common < most && root.getName(common).equals(path.getName(common))) {
      common++;
    }
    return root.getNameCount() - common;
  }

  /** Takes a place outside of the root that was named. */
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
    // A header's own folder is where it finds others.
    Path folder = Files.isDirectory(place) ? place : place.resolveSibling("");
    boolean wanted = left.containsKey(folder);
    if (root.startsWith(folder)) {
      take(place, by);
    } else if (!take(folder, by) && !folder.equals(place) && take(place, by) && !wanted) {
      left.remove(folder);
    }
  }

  /** True if it is taken, or is not there. */
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
              "%s is not copied for the build: what the folder names beside itself has more than %,d files or %,d MB; build the folder above, or make it smaller"
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

  /** Collects what would be taken; false where that would be too much. */
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
            return FileVisitResult.CONTINUE; // what cannot be read cannot be built from
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

  /** Whether a link beside the folder leads to a place that the copy has, too. */
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
