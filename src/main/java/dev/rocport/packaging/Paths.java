package dev.rocport.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Paths of a tree: relative to its root, with slashes. */
final class Paths {
  private Paths() {}

  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns the folder with its slash; empty for the root. */
  static String folder(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  /**
   * Resolves a path against a folder and normalizes it; a path that leaves the tree is unchanged.
   */
  static String resolve(String folder, String path) {
    List<String> parts = new ArrayList<>();
    for (String part : (path.startsWith("/") ? path : folder + path).split("/", -1)) {
      if (part.equals("..") && !parts.isEmpty() && !parts.getLast().equals("..")) {
        parts.removeLast();
      } else if (!part.equals(".") && !(part.isEmpty() && !parts.isEmpty())) {
        parts.add(part);
      }
    }
    return String.join("/", parts);
  }

  /**
   * Returns the name of the sibling for ROCm: {@code requirements-rocm.txt}, {@code
   * Dockerfile.rocm}; a part that names CUDA is replaced.
   */
  static String sibling(String path, boolean instead) {
    String folder = folder(path);
    String name = name(path);
    String lower = name.toLowerCase(Locale.ROOT);
    if (instead) {
      String other =
          name.replaceFirst(
              "(?i)(?<![a-z])(cuda|nvidia)([-_]?\\d[\\dx.]*(?=[._-]|$))?|(?i)(?<![a-z])cu\\d{2,3}(?!\\w)",
              "rocm");
      if (!other.equals(name)) {
        return folder + other;
      }
    }
    if (lower.startsWith("dockerfile") || lower.startsWith("containerfile")) {
      return path + ".rocm";
    }
    int dot = name.lastIndexOf('.');
    String stem = dot <= 0 ? name : name.substring(0, dot);
    String ending = dot <= 0 ? "" : name.substring(dot);
    String joint =
        lower.startsWith("docker-compose")
                || lower.startsWith("compose")
                || lower.endsWith(".dockerfile")
            ? "."
            : stem.contains("_") && !stem.contains("-") ? "_" : "-";
    return folder + stem + joint + "rocm" + ending;
  }
}
