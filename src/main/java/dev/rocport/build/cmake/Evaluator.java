package dev.rocport.build.cmake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Runs the commands of a project: control flow here, everything else where it belongs. */
final class Evaluator {
  private static final int DEEPEST = 64;

  /** Commands that change nothing about what is compiled and linked. */
  private static final Set<String> IGNORED =
      Set.of(
          "cmake_minimum_required",
          "cmake_policy",
          "enable_testing",
          "add_test",
          "set_tests_properties",
          "install",
          "export",
          "mark_as_advanced",
          "add_dependencies",
          "source_group",
          "include_guard",
          "check_language",
          "enable_language",
          "site_name",
          "variable_watch",
          "write_basic_package_version_file",
          "configure_package_config_file",
          "cmake_print_variables",
          "define_property",
          "set_directory_properties",
          "message");

  final Path root;
  final Path binary;
  final Map<String, CMakeTarget> targets;
  final List<String> notes;
  private final Map<String, Block.Definition> definitions = new HashMap<>();
  private final TargetCommands targetCommands = new TargetCommands(this);
  private final VariableCommands variableCommands = new VariableCommands(this);
  private final PackageCommands packageCommands = new PackageCommands(this);
  private int depth;

  /** Where a command runs: its variables and its folder. */
  record Place(Scope scope, Path folder, Directory directory) {}

  /** {@code return()} was called. */
  private static final class Return extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Return() {
      super(null, null, false, false);
    }
  }

  Evaluator(Path root, Path binary, Map<String, CMakeTarget> targets, List<String> notes) {
    this.root = root;
    this.binary = binary;
    this.targets = targets;
    this.notes = notes;
  }

  /** Runs the CMakeLists.txt of a folder in its own scope. */
  void folder(Path folder, Scope scope, Directory directory) throws CMakeException, IOException {
    Path inside = binary.resolve(root.relativize(folder));
    scope.set("CMAKE_CURRENT_SOURCE_DIR", folder.toString());
    scope.set("CMAKE_CURRENT_LIST_DIR", folder.toString());
    scope.set("CMAKE_CURRENT_BINARY_DIR", inside.toString());
    file(folder.resolve("CMakeLists.txt"), new Place(scope, folder, directory));
  }

  void file(Path file, Place place) throws CMakeException, IOException {
    if (++depth > DEEPEST) {
      throw new CMakeException(relative(file), 1, "files include each other too deeply");
    }
    String text =
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).replace("\r\n", "\n");
    List<Block> blocks = Block.parse(CMakeLexer.calls(relative(file), text));
    place.scope().set("CMAKE_CURRENT_LIST_FILE", file.toString());
    try {
      run(blocks, place);
    } catch (Return e) {
      // return() ends this file only.
    } finally {
      depth--;
    }
  }

  String relative(Path file) {
    return file.startsWith(root) ? root.relativize(file).toString() : file.toString();
  }

  void run(List<Block> blocks, Place place) throws CMakeException, IOException {
    for (Block block : blocks) {
      switch (block) {
        case Block.Single(Call call) -> command(call, place);
        case Block.Branches(List<Block.Branch> branches) -> branches(branches, place);
        case Block.Loop loop -> loop(loop, place);
        case Block.Definition d -> define(d, place);
      }
    }
  }

  private void branches(List<Block.Branch> branches, Place place)
      throws CMakeException, IOException {
    for (Block.Branch b : branches) {
      boolean taken =
          b.head().name().equals("else")
              || new Condition(
                      b.head(),
                      place.scope(),
                      place.folder(),
                      targets::containsKey,
                      n -> definitions.containsKey(n.toLowerCase(Locale.ROOT)))
                  .holds();
      if (taken) {
        run(b.body(), place);
        return;
      }
    }
  }

  private void loop(Block.Loop loop, Place place) throws CMakeException, IOException {
    List<String> words = place.scope().expand(loop.head().arguments());
    if (words.isEmpty()) {
      throw loop.head().error("foreach needs a variable");
    }
    String variable = words.getFirst();
    List<String> values = new ArrayList<>();
    if (words.size() > 1 && words.get(1).equals("RANGE")) {
      range(loop.head(), words.subList(2, words.size()), values);
    } else if (words.size() > 1 && words.get(1).equals("IN")) {
      boolean lists = true;
      for (String w : words.subList(2, words.size())) {
        if (w.equals("LISTS") || w.equals("ITEMS")) {
          lists = w.equals("LISTS");
        } else if (w.equals("ZIP_LISTS")) {
          throw loop.head().unsupported("foreach(ZIP_LISTS)");
        } else if (lists) {
          values.addAll(place.scope().list(w));
        } else {
          values.add(w);
        }
      }
    } else {
      values.addAll(words.subList(1, words.size()));
    }
    for (String value : values) {
      place.scope().set(variable, value);
      run(loop.body(), place);
    }
  }

  private static void range(Call head, List<String> words, List<String> values)
      throws CMakeException {
    try {
      int first = words.size() > 1 ? Integer.parseInt(words.get(0)) : 0;
      int last = Integer.parseInt(words.get(words.size() > 1 ? 1 : 0));
      int step = words.size() > 2 ? Math.max(1, Integer.parseInt(words.get(2))) : 1;
      for (int i = first; i <= last && values.size() < 100_000; i += step) {
        values.add(Integer.toString(i));
      }
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw head.error("foreach(RANGE) needs numbers");
    }
  }

  private void define(Block.Definition d, Place place) throws CMakeException {
    List<String> words = place.scope().expand(d.head().arguments());
    if (words.isEmpty()) {
      throw d.head().error(d.head().name() + " needs a name");
    }
    definitions.put(words.getFirst().toLowerCase(Locale.ROOT), d);
  }

  private void call(Block.Definition d, Call call, Place place) throws CMakeException, IOException {
    if (++depth > DEEPEST) {
      throw call.error("functions call each other too deeply");
    }
    boolean function = d.head().name().equals("function");
    List<String> names = place.scope().expand(d.head().arguments());
    List<String> values = place.scope().expand(call.arguments());
    // A macro's arguments are no variables of its caller's either, once it has ended.
    Scope scope = function ? place.scope().child() : place.scope();
    List<String> parameters = names.subList(1, names.size());
    for (int i = 0; i < parameters.size(); i++) {
      scope.set(parameters.get(i), i < values.size() ? values.get(i) : "");
    }
    for (int i = 0; i < values.size(); i++) {
      scope.set("ARGV" + i, values.get(i));
    }
    List<String> more = values.subList(Math.min(parameters.size(), values.size()), values.size());
    scope.set("ARGC", Integer.toString(values.size()));
    scope.set("ARGV", String.join(";", values));
    scope.set("ARGN", String.join(";", more));
    try {
      run(d.body(), new Place(scope, place.folder(), place.directory()));
    } catch (Return e) {
      if (!function) {
        throw e;
      }
    } finally {
      depth--;
    }
  }

  private void command(Call call, Place place) throws CMakeException, IOException {
    Block.Definition defined = definitions.get(call.name());
    if (defined != null) {
      call(defined, call, place);
      return;
    }
    if (call.name().equals("return")) {
      throw new Return();
    }
    List<String> words = place.scope().expand(call.arguments());
    if (call.name().equals("message")
        && !words.isEmpty()
        && (words.getFirst().equals("FATAL_ERROR") || words.getFirst().equals("SEND_ERROR"))) {
      throw call.error("the project stops: " + String.join("", words.subList(1, words.size())));
    }
    if (IGNORED.contains(call.name())) {
      return;
    }
    if (!targetCommands.run(call, words, place)
        && !variableCommands.run(call, words, place)
        && !packageCommands.run(call, words, place)) {
      throw call.unsupported(call.name() + "()");
    }
  }
}
