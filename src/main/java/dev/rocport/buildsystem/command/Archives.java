package dev.rocport.buildsystem.command;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Archives that a project makes and links with {@code -l}. */
public final class Archives {
  private static final Pattern FOLDER =
      Pattern.compile("(?<![\\w-])-L\\s*((?:[\\w./-]|\\$[({][\\w.]+[)}])+)");

  private final Map<String, Set<String>> archives = new TreeMap<>();
  private final Set<String> folders = new TreeSet<>();

  Archives() {}

  /** An archive with its folder. */
  private static final Pattern ARCHIVE =
      Pattern.compile(
          "(?:(?<=[\\s=:\"']|^)((?:[\\w.-]|\\$[({][\\w.]+[)}]|/)*/))?(?<![\\w-])lib(\\w+)\\.a(?![\\w.])");

  /**
   * Records text that may name archives of the project.
   *
   * @param folder name of the folder that contains the file
   */
  public void mention(String text, String folder) {
    Matcher m = ARCHIVE.matcher(text);
    while (m.find()) {
      String at = m.group(1) == null ? folder : m.group(1).substring(0, m.group(1).length() - 1);
      archives.computeIfAbsent(m.group(2), n -> new TreeSet<>()).add(last(at));
    }
    Matcher l = FOLDER.matcher(text);
    while (l.find()) {
      folders.add(l.group(1));
    }
  }

  private static String last(String folder) {
    return folder.substring(folder.lastIndexOf('/') + 1);
  }

  /**
   * Returns the path of an archive that the project makes and links with {@code -l}.
   *
   * @return empty if the project makes no such archive; an empty path if its folder is unknown
   */
  Optional<String> path(String name) {
    Set<String> at = archives.getOrDefault(name, Set.of());
    if (at.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        folders.stream()
            .filter(f -> at.contains(last(f)) || f.equals("."))
            .max(java.util.Comparator.comparing(f -> at.contains(last(f))))
            .map(f -> f + "/lib" + name + ".a")
            .orElse(""));
  }
}
