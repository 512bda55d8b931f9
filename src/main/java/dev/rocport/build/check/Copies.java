package dev.rocport.build.check;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folders of a tree for copies of other projects, which have standards and macros of their own.
 */
final class Copies {
  private static final Pattern FOLDER =
      Pattern.compile(
          "((?:.*?/)?(?:dependencies|deps|extern|externals?|submodules|third[_-]?party|3rd[_-]?party"
              + "|vendor(?:ed)?))/.*",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern PROJECT = Pattern.compile("/[^/]+(?=/)");

  private Copies() {}

  /** Returns whether a file, by its path in the tree, is part of a copy. */
  static boolean has(String path) {
    return FOLDER.matcher(path).matches();
  }

  /**
   * Returns the folder of the copy that a file is part of, such as {@code third_party/text} for
   * {@code third_party/text/cmake/flags.cmake}; empty for other files.
   */
  static Optional<String> folder(String path) {
    Matcher m = FOLDER.matcher(path);
    if (!m.matches()) {
      return Optional.empty();
    }
    Matcher project = PROJECT.matcher(path).region(m.end(1), path.length());
    return Optional.of(m.group(1) + (project.lookingAt() ? project.group() : ""));
  }
}
