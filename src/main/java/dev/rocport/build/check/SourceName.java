package dev.rocport.build.check;

import java.util.regex.Pattern;

/**
 * A place that names source files, such as a string of a program.
 *
 * @param name a path with {@code *} for any text in it; one that begins with {@code /} is relative
 *     to the root of the tree
 * @param path the file with the place
 * @param line its line, from 1
 */
record SourceName(String name, String path, int line) {
  private static final Pattern UP = Pattern.compile("/*(?:\\.{1,2}/)*");

  /** Returns the place with the name without the folders above it, which are not known. */
  static SourceName of(String name, String path, int line) {
    return new SourceName(UP.matcher(name).replaceFirst(""), path, line);
  }

  /** Returns whether the end of a path is this name. */
  boolean matches(String file) {
    if (name.startsWith("/")) {
      return pattern(name.substring(1)).matcher(file).matches();
    }
    String own = name.contains("*") && !name.contains("/") ? folder() + name : name;
    boolean whole = !own.equals(name);
    return pattern(own).matcher(file).matches()
        || (!whole && Pattern.compile(".*/" + pattern(own)).matcher(file).matches());
  }

  /** Returns whether a file that matches is in the folder of the place, or below. */
  boolean isNear(String file) {
    return name.startsWith("/") || name.contains("/") || file.startsWith(folder());
  }

  private String folder() {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  private static Pattern pattern(String name) {
    StringBuilder regex = new StringBuilder();
    for (String part : name.split("\\*", -1)) {
      regex.append(regex.isEmpty() ? "" : "[^/]*").append(Pattern.quote(part));
    }
    return Pattern.compile(regex.toString());
  }

  /** Returns {@code path:line}. */
  String place() {
    return path + ":" + line;
  }
}
