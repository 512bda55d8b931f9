package dev.rocport.buildsystem.shared;

import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

/**
 * Copies of Thrust, CUB and libcu++ in a tree: {@code rules/build/copies.tsv}. They are not part of
 * the project, and their internals cannot be ported; the libraries of ROCm take their place.
 */
public final class LibraryCopies {
  /** A tree without copies. */
  public static final LibraryCopies NONE = new LibraryCopies(List.of(), List.of());

  private static final List<Library> LIBRARIES =
      BuiltInText.table(
              "build/copies.tsv",
              "library\theader\tsign\tfolders\trepository\trocm\theaders\tsame\tcmake")
          .rows()
          .stream()
          .map(Library::of)
          .toList();

  /** Variables that a path begins with, and steps to folders above. */
  private static final Pattern START =
      Pattern.compile("^(?:.*\\.\\./)?(?:(?:\\$[({]\\w+[)}]|\\$\\w+|\\.)/)*");

  /** A value of Thrust's macro that selects a backend on the host, with or without the macro. */
  private static final Pattern HOST_THRUST =
      Pattern.compile("THRUST_DEVICE_SYSTEM=?(?:THRUST_DEVICE_SYSTEM)?_?(?:CPP|OMP|TBB)\\b");

  private final List<Copy> copies;
  private final List<String> others;

  private LibraryCopies(List<Copy> copies, List<String> others) {
    this.copies = List.copyOf(copies);
    this.others = List.copyOf(others);
  }

  /** A library of NVIDIA, and how to find a copy. */
  private record Library(
      String name,
      String header,
      String sign,
      List<String> folders,
      String repository,
      String rocm,
      String headers,
      boolean hides,
      String cmake) {
    static Library of(TsvTable.Row r) {
      List<String> folders = r.cell(3).isEmpty() ? List.of() : List.of(r.cell(3).split(" "));
      return new Library(
          r.cell(0),
          r.cell(1),
          r.cell(2),
          folders,
          r.cell(4),
          r.cell(5),
          r.cell(6),
          r.cell(7).equals("yes"),
          r.cell(8));
    }
  }

  /**
   * A copy of a library.
   *
   * @param name the name of the library
   * @param header the file that shows what it is
   * @param include the folder that a compiler searches for its headers; empty for the root of the
   *     tree
   * @param folders the folders that belong to the copy
   * @param isIncludeOnly whether the folder has no sources but those of copies
   * @param hides whether the headers have the names of those of ROCm
   * @param rocm the library of ROCm that takes its place, with the folder of its headers
   * @param cmake what replaces the CMake project of the copy
   */
  public record Copy(
      String name,
      String header,
      String include,
      List<String> folders,
      boolean isIncludeOnly,
      boolean hides,
      String rocm,
      String cmake) {
    public Copy {
      folders = List.copyOf(folders);
    }

    /** Returns whether a file belongs to the copy. */
    public boolean has(String path) {
      return folders.stream().anyMatch(f -> path.startsWith(f + "/"));
    }

    /** Returns whether the copy is a repository with a build of its own. */
    public boolean isRepository() {
      return folders.equals(List.of(include));
    }
  }

  /**
   * How a build uses the headers of copies by an include folder.
   *
   * @param copies the copies that the folder leads to
   */
  public record Use(Kind kind, List<Copy> copies) {
    /** What a port does with the folder. */
    public enum Kind {
      /** It is none of a copy, or nothing includes the headers of the copy after the port. */
      NONE,
      /** It is left out: the headers of ROCm have the same names, or the port replaces them. */
      LEFT_OUT,
      /** It stays: C++ compilers read the copy, with a backend that needs no CUDA. */
      FOR_HOST,
      /** It cannot be left out, and hides the headers of ROCm. */
      HIDES
    }

    public Use {
      copies = List.copyOf(copies);
    }

    /**
     * Returns the use of a folder.
     *
     * @param copies the copies that it leads to
     * @param isOnHost whether the project uses Thrust with a backend that runs on the host
     */
    public static Use of(List<Copy> copies, boolean isOnHost) {
      boolean hides = copies.stream().anyMatch(Copy::hides);
      Kind kind =
          copies.isEmpty()
              ? Kind.NONE
              : hides && isOnHost
                  ? Kind.FOR_HOST
                  : copies.stream().allMatch(Copy::isIncludeOnly)
                      ? Kind.LEFT_OUT
                      : hides ? Kind.HIDES : Kind.NONE;
      return new Use(kind, copies);
    }

    /** Returns the text of a finding about a folder. */
    public String message(String folder) {
      List<Copy> meant = copies.stream().filter(c -> kind != Kind.HIDES || c.hides()).toList();
      String names = String.join(" and ", meant.stream().map(Copy::name).distinct().toList());
      String rocm = String.join(", ", meant.stream().map(Copy::rocm).distinct().toList());
      String text =
          switch (kind) {
            case NONE -> "";
            case LEFT_OUT -> "%s is left out: it leads to a copy of %s, and %s takes its place";
            case FOR_HOST ->
                "%s stays: it leads to a copy of %s for a backend that runs on the host; device"
                    + " code needs %s";
            case HIDES ->
                "%s leads to a copy of %s, which hides the headers of %s: move the other headers in"
                    + " this folder to another one, and leave this one out";
          };
      return text.formatted(folder, names, rocm);
    }

    /** Returns what to do about a folder that stays. */
    public String advice() {
      return "Leave the folder out where hipcc compiles.";
    }
  }

  /** Returns whether a word of a build file selects a backend of Thrust that runs on the host. */
  public static boolean selectsHost(String word) {
    return HOST_THRUST.matcher(word).find();
  }

  /**
   * Finds the copies in a tree.
   *
   * @param paths all files, relative to the root of the tree
   * @param sources those that are C, C++ or CUDA
   * @param holds whether a file contains a text
   */
  public static LibraryCopies of(
      Collection<String> paths, Collection<String> sources, BiPredicate<String, String> holds) {
    List<Copy> found = new ArrayList<>();
    for (Library library : LIBRARIES) {
      for (String path : paths) {
        boolean named = path.equals(library.header()) || path.endsWith("/" + library.header());
        if (named && holds.test(path, library.sign())) {
          int end = path.length() - library.header().length();
          Copy copy = copy(library, path, path.substring(0, Math.max(0, end - 1)), paths);
          if (found.stream().noneMatch(c -> isSame(c, copy))) {
            found.add(copy);
          }
        }
      }
    }
    if (found.isEmpty()) {
      return NONE;
    }
    List<String> others =
        paths.stream().filter(p -> found.stream().noneMatch(c -> c.has(p))).toList();
    List<String> own =
        sources.stream().filter(p -> found.stream().noneMatch(c -> c.has(p))).toList();
    found.replaceAll(c -> own.stream().anyMatch(p -> isIn(p, c.include())) ? c : only(c));
    found.sort(Comparator.comparing(Copy::header));
    return new LibraryCopies(found, others);
  }

  private static boolean isSame(Copy a, Copy b) {
    return a.name().equals(b.name()) && a.include().equals(b.include());
  }

  /** The root of a tree is what the user ports, also if it is a repository of NVIDIA. */
  private static Copy copy(
      Library library, String header, String include, Collection<String> paths) {
    String base = include.isEmpty() ? "" : include + "/";
    boolean whole =
        !include.isEmpty()
            && !library.repository().isEmpty()
            && paths.contains(base + library.repository());
    return new Copy(
        library.name(),
        header,
        include,
        whole ? List.of(include) : library.folders().stream().map(f -> base + f).toList(),
        false,
        library.hides(),
        "%s (include/%s)".formatted(library.rocm(), library.headers()),
        library.cmake());
  }

  private static Copy only(Copy c) {
    return new Copy(
        c.name(), c.header(), c.include(), c.folders(), true, c.hides(), c.rocm(), c.cmake());
  }

  private static boolean isIn(String path, String folder) {
    return folder.isEmpty() || path.startsWith(folder + "/");
  }

  /** Returns the copies that are not part of another, in order of their path. */
  public List<Copy> outermost() {
    return copies.stream()
        .filter(
            c ->
                copies.stream()
                    .noneMatch(o -> !o.equals(c) && o.isRepository() && o.has(c.header())))
        .toList();
  }

  /** Returns whether the tree has no copies. */
  public boolean isEmpty() {
    return copies.isEmpty();
  }

  /** Returns whether a file belongs to a copy. */
  public boolean has(String path) {
    return copies.stream().anyMatch(c -> c.has(path));
  }

  /**
   * Returns the copies whose headers or project an argument of a build file names: a folder of this
   * tree, after variables of the build that are not known.
   *
   * @param folder the folder that the path may be relative to
   * @param argument a path, perhaps with quotes
   */
  public List<Copy> at(String folder, String argument) {
    if (copies.isEmpty()) {
      return List.of();
    }
    String path = argument.replaceAll("[\"']", "").replaceFirst("(?<=.)/+$", "");
    Optional<String> named = path.contains("$") ? Optional.empty() : within(folder, path);
    List<Copy> here =
        copies.stream().filter(c -> named.filter(c.include()::equals).isPresent()).toList();
    if (!here.isEmpty()) {
      return here;
    }
    String tail = START.matcher(path).replaceFirst("");
    boolean elsewhere =
        tail.isEmpty()
            || tail.startsWith("/")
            || tail.contains("$")
            || others.stream().anyMatch(p -> isElsewhere(p, tail));
    return elsewhere
        ? List.of()
        : copies.stream().filter(c -> ("/" + c.include()).endsWith("/" + tail)).toList();
  }

  /** Whether a file is in a folder with this path at its end that has no copy. */
  private boolean isElsewhere(String path, String tail) {
    int at = ("/" + path).indexOf("/" + tail + "/");
    return at >= 0
        && copies.stream()
            .noneMatch(c -> c.include().equals(path.substring(0, at + tail.length())));
  }

  private static Optional<String> within(String folder, String path) {
    Path joined = Path.of(folder).resolve(path).normalize();
    return joined.isAbsolute() || joined.startsWith("..")
        ? Optional.empty()
        : Optional.of(joined.toString().replace('\\', '/'));
  }
}
