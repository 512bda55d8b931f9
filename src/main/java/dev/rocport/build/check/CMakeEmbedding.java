package dev.rocport.build.check;

import dev.rocport.buildsystem.cmake.CMakeCommand;
import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sources that CMake files read as text, with {@code file(READ)} or a program such as {@code
 * xxd}. Follows lists, loops, functions and definitions for scripts, without their order.
 */
final class CMakeEmbedding {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)\\}");
  private static final Pattern DEFINED = Pattern.compile("(?:-D)?\\s*(\\w+)(?::\\w+)?=(.*)");
  private static final Pattern SOURCE = Pattern.compile(".*[\\w*]\\.(?:cu|hip)");

  /** More values than that of one word are not followed. */
  private static final int MOST = 200;

  /** So often values go through all files. */
  private static final int ROUNDS = 5;

  private final List<CMakeFile> files = new ArrayList<>();

  /** The values of variables; those of loops and functions have a key of their own. */
  private final Map<String, Set<String>> values = new HashMap<>();

  private final Map<String, List<String>> functions = new HashMap<>();
  private final Map<String, SourceName> found = new LinkedHashMap<>();

  private CMakeEmbedding() {}

  /**
   * Returns the places that read sources.
   *
   * @param texts build files by path
   */
  static List<SourceName> of(Map<String, String> texts) {
    CMakeEmbedding embedding = new CMakeEmbedding();
    new TreeMap<>(texts)
        .forEach(
            (path, text) -> {
              if (path.endsWith("CMakeLists.txt") || path.endsWith(".cmake")) {
                CMakeFile.of(path, text).ifPresent(embedding.files::add);
              }
            });
    for (CMakeFile file : embedding.files) {
      file.commands().stream()
          .filter(CMakeEmbedding::isFunction)
          .filter(c -> !c.arguments().isEmpty())
          .forEach(
              c ->
                  embedding.functions.put(
                      word(c, 0).toLowerCase(Locale.ROOT),
                      c.arguments().stream().skip(1).map(Argument::text).toList()));
    }
    for (int i = 0; i < ROUNDS; i++) {
      embedding.files.forEach(embedding::read);
    }
    return List.copyOf(embedding.found.values());
  }

  private static boolean isFunction(CMakeCommand c) {
    return c.name().equals("function") || c.name().equals("macro");
  }

  private static String word(CMakeCommand c, int i) {
    return i < c.arguments().size() ? c.arguments().get(i).text() : "";
  }

  private void read(CMakeFile file) {
    Deque<Map<String, String>> scopes = new ArrayDeque<>();
    for (CMakeCommand c : file.commands()) {
      switch (c.name()) {
        case "function", "macro" -> scopes.push(parameters(word(c, 0)));
        case "foreach" -> {
          String key = word(c, 0) + "@" + file.path() + ":" + c.start();
          add(key, words(c, 1, file, scopes));
          scopes.push(Map.of(word(c, 0), key));
        }
        case "endfunction", "endmacro", "endforeach" -> scopes.poll();
        case "set" -> add(key(word(c, 0), scopes), words(c, 1, file, scopes));
        case "list" -> {
          if (word(c, 0).equals("APPEND")) {
            add(key(word(c, 1), scopes), words(c, 2, file, scopes));
          }
        }
        case "get_filename_component" -> add(key(word(c, 0), scopes), path(c, file, scopes));
        case "cmake_parse_arguments" -> parsed(c, scopes);
        case "file" -> file(c, file, scopes);
        case "add_custom_command", "add_custom_target", "execute_process" ->
            command(c, file, scopes);
        default -> call(c, file, scopes);
      }
    }
  }

  /** Returns the variables of a function by name. */
  private Map<String, String> parameters(String function) {
    String name = function.toLowerCase(Locale.ROOT);
    Map<String, String> all = new HashMap<>();
    for (String p : functions.getOrDefault(name, List.of())) {
      all.put(p, p + "@" + name);
    }
    all.put("ARGN", "ARGN@" + name);
    all.put("ARGV", "ARGV@" + name);
    return all;
  }

  private void call(CMakeCommand c, CMakeFile file, Deque<Map<String, String>> scopes) {
    List<String> names = functions.get(c.name());
    if (names == null) {
      return;
    }
    for (int i = 0; i < c.arguments().size(); i++) {
      Set<String> given = expand(word(c, i), file, scopes);
      add((i < names.size() ? names.get(i) : "ARGN") + "@" + c.name(), given);
      add("ARGV@" + c.name(), given);
    }
  }

  /** The values of all keywords are those of all arguments. */
  private void parsed(CMakeCommand c, Deque<Map<String, String>> scopes) {
    Set<String> all = values.getOrDefault(key("ARGN", scopes), Set.of());
    for (int i = 1; i < c.arguments().size(); i++) {
      for (String keyword : word(c, i).split(";")) {
        add(word(c, 0) + "_" + keyword, all);
      }
    }
  }

  private Set<String> path(CMakeCommand c, CMakeFile file, Deque<Map<String, String>> scopes) {
    boolean whole = word(c, 2).matches("ABSOLUTE|REALPATH");
    return whole ? expand(word(c, 1), file, scopes) : Set.of();
  }

  private void file(CMakeCommand c, CMakeFile file, Deque<Map<String, String>> scopes) {
    switch (word(c, 0)) {
      case "GLOB", "GLOB_RECURSE" -> add(key(word(c, 1), scopes), words(c, 2, file, scopes));
      case "READ", "STRINGS" -> reads(c, 1, 2, file, scopes);
      default -> {}
    }
  }

  private void command(CMakeCommand c, CMakeFile file, Deque<Map<String, String>> scopes) {
    if (c.arguments().stream().anyMatch(a -> MakeEmbedding.embeds(a.text()))) {
      reads(c, 0, c.arguments().size(), file, scopes);
    }
    for (int i = 1; i < c.arguments().size(); i++) {
      Matcher m = DEFINED.matcher(word(c, i));
      boolean defines = word(c, i).startsWith("-D") || word(c, i - 1).equals("-D");
      if (defines && m.matches()) {
        add(m.group(1), expand(m.group(2), file, scopes));
      }
    }
  }

  private void reads(
      CMakeCommand c, int from, int to, CMakeFile file, Deque<Map<String, String>> scopes) {
    for (int i = from; i < Math.min(to, c.arguments().size()); i++) {
      for (String source : expand(word(c, i), file, scopes)) {
        if (SOURCE.matcher(source).matches()) {
          int line = file.source().line(c.start());
          SourceName name =
              source.startsWith("/")
                  ? new SourceName(Path.of(source).normalize() + "", file.path(), line)
                  : SourceName.of(source, file.path(), line);
          found.putIfAbsent(name.name(), name);
        }
      }
    }
  }

  private void add(String key, Set<String> more) {
    Set<String> all = values.computeIfAbsent(key, k -> new LinkedHashSet<>());
    more.stream().limit(MOST).forEach(all::add);
  }

  private static String key(String name, Deque<Map<String, String>> scopes) {
    return scopes.stream()
        .flatMap(s -> Optional.ofNullable(s.get(name)).stream())
        .findFirst()
        .orElse(name);
  }

  private Set<String> words(
      CMakeCommand c, int from, CMakeFile file, Deque<Map<String, String>> scopes) {
    Set<String> all = new LinkedHashSet<>();
    for (int i = from; i < c.arguments().size(); i++) {
      String name = word(c, i);
      boolean isList = i > from && word(c, i - 1).equals("LISTS");
      all.addAll(expand(isList ? "${" + name + "}" : name, file, scopes));
    }
    return all;
  }

  /** Returns what a word can be; folders that are not known are left out. */
  private Set<String> expand(String word, CMakeFile file, Deque<Map<String, String>> scopes) {
    LinkedHashSet<String> open = new LinkedHashSet<>(List.of(word.split(";")));
    Set<String> done = new LinkedHashSet<>();
    for (int i = 0; i < MOST && !open.isEmpty(); i++) {
      String next = open.removeFirst();
      Matcher m = VARIABLE.matcher(next);
      if (!m.find()) {
        done.add(next);
        continue;
      }
      String rest = next.substring(m.end());
      Set<String> of = values.getOrDefault(key(m.group(1), scopes), Set.of());
      String folder = "/" + file.path().substring(0, file.path().lastIndexOf('/') + 1);
      switch (m.group(1)) {
        case "CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR" ->
            open.add(m.start() == 0 ? folder.replaceFirst("/$", "") + rest : rest);
        case "CMAKE_SOURCE_DIR" -> open.add(rest);
        default -> {
          if (of.isEmpty() && m.start() == 0 && rest.startsWith("/")) {
            open.add(rest.substring(1));
          }
          of.stream().limit(MOST).forEach(v -> open.add(next.substring(0, m.start()) + v + rest));
        }
      }
    }
    return done;
  }
}
