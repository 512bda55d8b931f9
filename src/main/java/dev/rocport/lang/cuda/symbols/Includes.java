package dev.rocport.lang.cuda.symbols;

import dev.rocport.io.PackedWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which file of a project an include directive means. */
final class Includes {
  /** More than the length of any path. */
  private static final int LONGEST = 1 << 20;

  private final Set<String> files;
  private final Map<String, List<String>> byName = new HashMap<>();
  private final ProjectCommands commands;

  /** Folders with sources: those of another program are hardly searched. */
  private final Set<String> programs = new HashSet<>();

  /**
   * The includes between these files.
   *
   * @param files paths from the tree's root
   */
  Includes(Collection<String> files, ProjectCommands commands) {
    this.files = new HashSet<>(files);
    this.commands = commands;
    for (String path : new TreeSet<>(files)) {
      byName.computeIfAbsent(name(path), k -> new ArrayList<>()).add(path);
      if (isUnit(path)) {
        programs.add(folder(path) + "/");
      }
    }
  }

  void write(PackedWriter out) {
    out.list(new TreeSet<>(files), out::text);
  }

  /** True if the file exists and can be compiled in its own right. */
  static boolean isUnit(String path) {
    String name = name(path);
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "c", "cc", "cpp", "cxx", "C", "cu" -> true;
      default -> false;
    };
  }

  boolean isFile(String path) {
    return files.contains(path);
  }

  /**
   * The files that an include directive can mean: one beside it or in a folder of its command, else
   * those with this path at the end that are nearest in the tree, folders of programs beside it
   * last. Mostly one or none.
   */
  List<String> of(String from, String include) {
    String folder = folder(from);
    String beside = joined(folder, include);
    if (files.contains(beside) && !beside.equals(from)) {
      return List.of(beside);
    }
    ProjectCommands.Unit unit = commands.units().get(from);
    if (unit != null) {
      for (String f : unit.folders()) {
        String path = joined(f, include);
        if (files.contains(path) && !path.equals(from)) {
          return List.of(path);
        }
      }
    }
    String end = withoutDots(include);
    List<String> nearest = new ArrayList<>();
    int best = -1;
    for (String path : byName.getOrDefault(name(end), List.of())) {
      if (!path.equals(from) && ends(path, end)) {
        String place = path.substring(0, path.length() - end.length());
        boolean sibling = programs.contains(place) && above(place).equals(folder(folder));
        int rank = !isSearched(folder, path, end) ? 0 : sibling ? 1 : 2;
        int near = common(folder, path) + rank * LONGEST;
        if (near > best) {
          nearest.clear();
          best = near;
        }
        if (near == best) {
          nearest.add(path);
        }
      }
    }
    return nearest;
  }

  /** The files that these include directives of a file can mean. */
  List<String> targets(String from, List<String> included) {
    return included.stream()
        .filter(i -> !i.isEmpty())
        .flatMap(i -> of(from, i).stream())
        .distinct()
        .toList();
  }

  /**
   * True if a file is found in the folder, in one above it, or in a folder next to one of these,
   * such as {@code include}.
   */
  static boolean isSearched(String folder, String path, String include) {
    String above = above(path.substring(0, path.length() - include.length()));
    return above.isEmpty() || (folder + "/").startsWith(above + "/");
  }

  /** The folder that holds a folder, which ends with a slash. */
  private static String above(String place) {
    return place.isEmpty() ? "" : folder(place.substring(0, place.length() - 1));
  }

  static boolean ends(String path, String include) {
    return path.equals(include) || path.endsWith("/" + include);
  }

  /** An include path without the folders above that it begins with. */
  static String withoutDots(String include) {
    String p = include;
    while (p.startsWith("./") || p.startsWith("../")) {
      p = p.substring(p.indexOf('/') + 1);
    }
    return p;
  }

  /** The path of an include searched in a folder; {@code ..} that leads out of the tree stays. */
  static String joined(String folder, String path) {
    Deque<String> parts = new ArrayDeque<>();
    for (String part : (folder + "/" + path).split("/")) {
      if (part.equals("..") && !parts.isEmpty() && !parts.getLast().equals("..")) {
        parts.removeLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    return String.join("/", parts);
  }

  static String folder(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** How many characters of whole folders two paths share at the beginning. */
  private static int common(String folder, String path) {
    String a = folder + "/";
    int shared = 0;
    for (int i = 0; i < a.length() && i < path.length() && a.charAt(i) == path.charAt(i); i++) {
      shared = a.charAt(i) == '/' ? i + 1 : shared;
    }
    return shared;
  }
}
