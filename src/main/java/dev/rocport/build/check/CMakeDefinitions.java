package dev.rocport.build.check;

import dev.rocport.buildsystem.cmake.CMakeCommand;
import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.core.result.FileResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The macros that CMake files define for their targets, for units that the build does not reach:
 * its configuration may have failed. Conditions and variables count as far as the files state their
 * values.
 */
public final class CMakeDefinitions {
  private static final Pattern ITEM = Pattern.compile("(?s)(?:[-/]D)?([A-Za-z_]\\w*)(?:=(.*))?");
  private static final Pattern FLAG = Pattern.compile("(?:^|\\s)-D\\s?([A-Za-z_]\\w*)(?:=(\\S*))?");

  /** Variables whose flags count in all configurations. */
  private static final Set<String> FLAGS =
      Set.of("CMAKE_C_FLAGS", "CMAKE_CXX_FLAGS", "CMAKE_CUDA_FLAGS", "CMAKE_HIP_FLAGS");

  /** An argument of CMake that sets a variable. */
  private static final Pattern ARGUMENT = Pattern.compile("-D(\\w+)(?::\\w+)?=(.*)");

  private static final Set<String> KEYWORDS =
      Set.of("PUBLIC", "PRIVATE", "INTERFACE", "BEFORE", "AFTER", "SYSTEM");

  private static final Set<String> DEFINING =
      Set.of("add_definitions", "add_compile_definitions", "target_compile_definitions");

  /** So often values of variables and conditions are found. */
  private static final int ROUNDS = 3;

  /** What is known of every build of the ported tree for a check. */
  private static final Map<String, String> FIXED =
      Map.of("USE_ROCM", "ON", "UNIX", "1", "WIN32", "0", "MSVC", "0", "APPLE", "0");

  private static final List<String> TARGETS =
      List.of("CMAKE_HIP_ARCHITECTURES", "GPU_TARGETS", "AMDGPU_TARGETS");

  /**
   * A definition.
   *
   * @param value its text after {@code =}, {@code 1} without one; empty if it is not known
   * @param certain whether no unknown condition, function or loop is around the command
   * @param folder of the file, or of a copy of another project with the file, if its definitions
   *     are for units below it; otherwise empty
   * @param place the command, such as {@code CMakeLists.txt:9}
   */
  record Definition(
      String macro,
      Optional<String> value,
      boolean certain,
      Optional<String> folder,
      String place) {
    /** Returns whether the definition can be for a unit. */
    boolean isFor(String unit) {
      return folder.filter(f -> !f.isEmpty() && !unit.startsWith(f + "/")).isEmpty();
    }
  }

  /** A variable alone, as an argument of a command. */
  private static final Pattern LIST = Pattern.compile("\\$\\{(\\w+)\\}");

  private final Map<String, List<Definition>> definitions = new HashMap<>();

  /** Variables whose elements commands take as definitions. */
  private final Set<String> lists = new HashSet<>();

  private CMakeDefinitions() {}

  /**
   * Reads the CMake files of a tree.
   *
   * @param root the ported tree
   * @param ported the results of the port
   * @param name the path in the ported tree of a file of the original
   * @param target the GPU target
   * @param arguments for CMake, such as {@code -DWIDE=ON}
   */
  public static CMakeDefinitions of(
      Path root,
      Collection<FileResult> ported,
      UnaryOperator<String> name,
      String target,
      List<String> arguments)
      throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (FileResult file : ported) {
      String path = name.apply(file.path());
      if (BuildFileNames.isCMake(path) && Files.isRegularFile(root.resolve(path))) {
        texts.put(path, Files.readString(root.resolve(path), StandardCharsets.ISO_8859_1));
      }
    }
    return of(texts, target, arguments);
  }

  /**
   * Reads CMake files.
   *
   * @param texts their contents by path
   */
  static CMakeDefinitions of(Map<String, String> texts, String target, List<String> arguments) {
    Map<String, String> fixed = new HashMap<>(FIXED);
    TARGETS.forEach(t -> fixed.put(t, target));
    for (String argument : arguments) {
      Matcher m = ARGUMENT.matcher(argument);
      if (m.matches()) {
        fixed.put(m.group(1), m.group(2));
      }
    }
    List<CMakeFile> files = new ArrayList<>();
    new TreeMap<>(texts).forEach((path, text) -> CMakeFile.of(path, text).ifPresent(files::add));
    CMakeValues values = new CMakeValues(fixed);
    CMakeDefinitions found = new CMakeDefinitions();
    for (int round = 0; round <= ROUNDS; round++) {
      CMakeValues next = new CMakeValues(fixed);
      for (CMakeFile file : files) {
        found.read(file, values, next, round == ROUNDS);
      }
      values = next;
    }
    return found;
  }

  /** The value of a condition around commands; empty if it is not known. */
  private static final class Level {
    private Optional<Boolean> now;

    /** Whether a branch before this one is taken; empty if it is not known. */
    private Optional<Boolean> taken = Optional.of(false);

    Level(Optional<Boolean> now) {
      this.now = now;
    }

    /** Goes to the next branch, which has this condition. */
    void turn(Optional<Boolean> condition) {
      taken =
          now.equals(Optional.of(true)) || taken.equals(Optional.of(true))
              ? Optional.of(true)
              : now.isEmpty() || taken.isEmpty() ? Optional.empty() : Optional.of(false);
      now =
          taken.equals(Optional.of(true))
              ? Optional.of(false)
              : taken.isEmpty() && !condition.equals(Optional.of(false))
                  ? Optional.empty()
                  : condition;
    }
  }

  private void read(CMakeFile file, CMakeValues known, CMakeValues next, boolean last) {
    Deque<Level> levels = new ArrayDeque<>();
    for (CMakeCommand c : file.commands()) {
      switch (c.name()) {
        case "if" -> levels.push(new Level(known.test(c.arguments())));
        case "elseif", "else" -> {
          boolean elseif = c.name().equals("elseif");
          if (!levels.isEmpty()) {
            levels.peek().turn(elseif ? known.test(c.arguments()) : Optional.of(true));
          }
        }
        case "foreach", "while", "function", "macro" -> {
          next.note(c, known);
          levels.push(new Level(Optional.empty()));
        }
        case "endif", "endforeach", "endwhile", "endfunction", "endmacro" -> levels.poll();
        default -> {
          if (levels.stream().noneMatch(l -> l.now.equals(Optional.of(false)))) {
            next.note(c, known);
            boolean certain = levels.stream().noneMatch(l -> l.now.isEmpty());
            if (last) {
              define(file, c, known, certain);
            } else if (DEFINING.contains(c.name())) {
              c.arguments().stream()
                  .map(a -> LIST.matcher(a.text()))
                  .filter(Matcher::matches)
                  .forEach(m -> lists.add(m.group(1)));
            }
          }
        }
      }
    }
  }

  private void define(CMakeFile file, CMakeCommand c, CMakeValues known, boolean certain) {
    List<String> words = c.arguments().stream().map(Argument::text).toList();
    switch (c.name()) {
      case "add_definitions" ->
          words.stream()
              .filter(w -> w.matches("(?s)[-/]D.*"))
              .forEach(w -> add(ITEM.matcher(w), file, c, known, certain));
      case "add_compile_definitions", "target_compile_definitions" ->
          words.stream()
              .skip(c.name().startsWith("target") ? 1 : 0)
              .filter(w -> !KEYWORDS.contains(w))
              .forEach(w -> add(ITEM.matcher(w), file, c, known, certain));
      case "list" -> {
        boolean adds = words.size() > 1 && words.getFirst().equals("APPEND");
        if (adds && lists.contains(words.get(1))) {
          words.stream()
              .skip(2)
              .filter(w -> w.matches("(?s)[-/]D.*"))
              .forEach(w -> add(ITEM.matcher(w), file, c, known, certain));
        } else {
          flags(words, file, c, known, certain, true);
        }
      }
      case "set", "string" -> flags(words, file, c, known, certain, true);
      case "add_compile_options", "target_compile_options" ->
          flags(words, file, c, known, certain, false);
      default -> {}
    }
  }

  /**
   * Adds the macros of flags.
   *
   * @param variable whether they only count as the value of one of the variables for all flags
   */
  private void flags(
      List<String> words,
      CMakeFile file,
      CMakeCommand c,
      CMakeValues known,
      boolean certain,
      boolean variable) {
    if (variable && words.stream().limit(2).noneMatch(FLAGS::contains)) {
      return;
    }
    for (String word : words) {
      Matcher m = FLAG.matcher(word);
      while (m.find()) {
        add(m.group(1), m.group(2), file, c, known, certain);
      }
    }
  }

  private void add(
      Matcher item, CMakeFile file, CMakeCommand c, CMakeValues known, boolean certain) {
    if (item.matches()) {
      add(item.group(1), item.group(2), file, c, known, certain);
    }
  }

  private void add(
      String macro,
      @Nullable String value,
      CMakeFile file,
      CMakeCommand c,
      CMakeValues known,
      boolean certain) {
    String path = file.path();
    int slash = path.lastIndexOf('/');
    boolean module = !path.endsWith("CMakeLists.txt");
    Optional<String> text =
        value == null
            ? Optional.of("1")
            : known.expand(value).map(v -> v.replace("\\\"", "\"").replace("\\\\", "\\"));
    definitions
        .computeIfAbsent(macro, k -> new ArrayList<>())
        .add(
            new Definition(
                macro,
                text,
                certain,
                module
                    ? Copies.folder(path)
                    : Optional.of(slash < 0 ? "" : path.substring(0, slash)),
                file.place(c)));
  }

  /** Returns the macros that any of the files defines. */
  Set<String> macros() {
    return definitions.keySet();
  }

  /**
   * Returns the definitions of a macro that count for a unit: those in the folders above it and in
   * modules, or all if there is none; of these, the certain ones, or all if there is none.
   */
  List<Definition> of(String macro, String unit) {
    List<Definition> all = definitions.getOrDefault(macro, List.of());
    List<Definition> near = all.stream().filter(d -> d.isFor(unit)).toList();
    List<Definition> some = near.isEmpty() ? all : near;
    List<Definition> certain = some.stream().filter(Definition::certain).toList();
    return certain.isEmpty() ? some : certain;
  }

  /** Returns the value that all of these definitions have. */
  static Optional<String> value(List<Definition> definitions) {
    List<Optional<String>> values = definitions.stream().map(Definition::value).distinct().toList();
    return values.size() == 1 ? values.getFirst() : Optional.empty();
  }

  /** Returns the places of definitions, the first ones only. */
  static String places(List<Definition> definitions) {
    Stream<String> places = definitions.stream().map(Definition::place).distinct();
    return String.join(", ", places.limit(3).toList());
  }
}
