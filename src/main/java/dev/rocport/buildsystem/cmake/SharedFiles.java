package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the files that projects share: {@code include(../cmake/targets.cmake)} reads a file that is
 * not below the folder of the project.
 */
final class SharedFiles {
  private static final Pattern START =
      Pattern.compile(
          "\\$\\{(CMAKE_CURRENT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR|CMAKE_SOURCE_DIR"
              + "|PROJECT_SOURCE_DIR)\\}/");

  private SharedFiles() {}

  /** Returns the files outside a project that its files include, and those that these include. */
  static Set<CMakeFile> of(List<CMakeFile> project, Collection<CMakeFile> outside) {
    Set<CMakeFile> shared = new LinkedHashSet<>();
    Deque<CMakeFile> open = new ArrayDeque<>(project);
    String top = top(project);
    while (!outside.isEmpty() && !open.isEmpty()) {
      CMakeFile from = open.pop();
      for (CMakeCommand c : from.commands()) {
        included(from, c, top)
            .flatMap(p -> outside.stream().filter(f -> f.source().path().equals(p)).findFirst())
            .filter(shared::add)
            .ifPresent(open::push);
      }
    }
    return shared;
  }

  /** Returns the folder of a project; projects are the list files below a top-level list file. */
  private static String top(List<CMakeFile> project) {
    String top = project.getFirst().folder();
    for (CMakeFile f : project) {
      if (f.source().path().endsWith("CMakeLists.txt") && f.folder().length() <= top.length()) {
        top = f.folder();
      }
    }
    return top;
  }

  /** Returns the path that a command includes, if the text gives it. */
  private static Optional<String> included(CMakeFile from, CMakeCommand c, String top) {
    List<Argument> a = c.arguments();
    if (!c.name().equals("include") || a.isEmpty()) {
      return Optional.empty();
    }
    String text = a.getFirst().text();
    Matcher m = START.matcher(text);
    String base = from.folder();
    boolean known = from.source().path().endsWith("CMakeLists.txt");
    if (m.lookingAt()) {
      text = text.substring(m.end());
      boolean whole = m.group(1).matches("CMAKE_SOURCE_DIR|PROJECT_SOURCE_DIR");
      base = whole ? top : base;
      known |= whole || m.group(1).equals("CMAKE_CURRENT_LIST_DIR");
    }
    return known && !text.contains("${") && !text.startsWith("/")
        ? Optional.of(Path.of(base + text).normalize().toString())
        : Optional.empty();
  }
}
