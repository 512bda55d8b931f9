package dev.rocport.build.cmake;

import dev.rocport.build.cmake.CMakeTarget.Kind;
import dev.rocport.build.cmake.CMakeTarget.Usage;
import dev.rocport.build.cmake.Evaluator.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The commands that make targets and say how they are compiled and linked. */
final class TargetCommands {
  private static final Set<String> VISIBILITY =
      Set.of("PUBLIC", "PRIVATE", "INTERFACE", "LINK_PUBLIC", "LINK_PRIVATE");

  private final Evaluator evaluator;

  TargetCommands(Evaluator evaluator) {
    this.evaluator = evaluator;
  }

  /** False if the command is none of these. */
  boolean run(Call call, List<String> words, Place place) throws CMakeException {
    switch (call.name()) {
      case "add_executable", "cuda_add_executable", "hip_add_executable" ->
          executable(call, words, place);
      case "add_library", "cuda_add_library", "hip_add_library" -> library(call, words, place);
      case "target_sources" -> sources(call, words, place);
      case "target_include_directories",
          "target_compile_definitions",
          "target_compile_options",
          "target_link_options",
          "target_compile_features",
          "target_link_directories" ->
          usage(call, words, place);
      case "target_link_libraries", "cuda_target_link_libraries" -> link(call, words);
      case "cuda_add_cublas_to_target" -> target(call, words).libraries.add("PUBLIC", "cublas");
      case "cuda_add_cufft_to_target" -> target(call, words).libraries.add("PUBLIC", "cufft");
      case "set_target_properties" -> properties(call, words);
      case "set_source_files_properties" -> sourceProperties(words, place);
      case "set_property" -> property(call, words, place);
      case "include_directories", "cuda_include_directories" ->
          directories(words, place, place.directory().includes);
      case "add_definitions" -> definitions(words, place);
      case "add_compile_definitions" -> place.directory().definitions.addAll(words);
      case "add_compile_options" -> place.directory().options.addAll(words);
      case "add_link_options" -> place.directory().linkOptions.addAll(words);
      case "link_libraries" -> place.directory().libraries.addAll(words);
      case "link_directories" ->
          words.forEach(w -> place.directory().linkOptions.add("-L" + place.folder().resolve(w)));
      case "add_custom_target" ->
          evaluator.notes.add(
              "%s:%d: add_custom_target(%s) is not run"
                  .formatted(call.file(), call.line(), words.isEmpty() ? "" : words.getFirst()));
      case "add_custom_command" -> {
        if (words.isEmpty() || !words.getFirst().equals("TARGET")) {
          throw call.unsupported("add_custom_command(OUTPUT ...)");
        }
        evaluator.notes.add(
            "%s:%d: add_custom_command is not run".formatted(call.file(), call.line()));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private CMakeTarget target(Call call, List<String> words) throws CMakeException {
    CMakeTarget target = words.isEmpty() ? null : evaluator.targets.get(words.getFirst());
    if (target == null) {
      throw call.error(
          "no such target: " + (words.isEmpty() ? "(no name given)" : words.getFirst()));
    }
    return target;
  }

  private CMakeTarget add(Call call, String name, Kind kind, Place place) throws CMakeException {
    CMakeTarget target = new CMakeTarget(name, kind, place.folder());
    if (evaluator.targets.putIfAbsent(name, target) != null) {
      throw call.error("the target " + name + " is there already");
    }
    Scope scope = place.scope();
    for (String key :
        List.of(
            "CXX_STANDARD",
            "C_STANDARD",
            "CUDA_STANDARD",
            "HIP_STANDARD",
            "CXX_EXTENSIONS",
            "POSITION_INDEPENDENT_CODE",
            "CUDA_SEPARABLE_COMPILATION",
            "INCLUDE_CURRENT_DIR")) {
      String value = scope.find("CMAKE_" + key);
      if (value != null) {
        target.properties.put(key, value);
      }
    }
    // The flags in force where the target is made stand for those at the end of the folder.
    for (String lang : List.of("C", "CXX", "CUDA", "HIP", "EXE_LINKER", "SHARED_LINKER")) {
      target.properties.put("FLAGS_" + lang, scope.get("CMAKE_" + lang + "_FLAGS"));
      target.properties.put(
          "CONFIG_FLAGS_" + lang,
          scope.get(
              "CMAKE_"
                  + lang
                  + "_FLAGS_"
                  + scope.get("CMAKE_BUILD_TYPE").toUpperCase(Locale.ROOT)));
    }
    target.properties.put("FLAGS_NVCC", scope.get("CUDA_NVCC_FLAGS"));
    if (Scope.isTrue(scope.get("CUDA_SEPARABLE_COMPILATION"))) {
      target.properties.put("CUDA_SEPARABLE_COMPILATION", "ON");
    }
    target.properties.put("CONFIGURATION", scope.get("CMAKE_BUILD_TYPE"));
    place.directory().applyTo(target);
    return target;
  }

  private void executable(Call call, List<String> words, Place place) throws CMakeException {
    if (words.contains("IMPORTED") || words.contains("ALIAS")) {
      throw call.unsupported("add_executable with IMPORTED or ALIAS");
    }
    CMakeTarget target = add(call, name(call, words), Kind.EXECUTABLE, place);
    addSources(call, target, words.subList(1, words.size()), place);
  }

  private static String name(Call call, List<String> words) throws CMakeException {
    if (words.isEmpty()) {
      throw call.error(call.name() + " needs a name");
    }
    return words.getFirst();
  }

  private void library(Call call, List<String> words, Place place) throws CMakeException {
    String name = name(call, words);
    List<String> rest = new ArrayList<>(words.subList(1, words.size()));
    if (rest.contains("IMPORTED")) {
      throw call.unsupported("add_library(" + name + " IMPORTED)");
    }
    if (rest.size() == 2 && rest.getFirst().equals("ALIAS")) {
      CMakeTarget known = evaluator.targets.get(rest.get(1));
      if (known == null) {
        throw call.error("no such target: " + rest.get(1));
      }
      evaluator.targets.put(name, known);
      return;
    }
    Kind kind = Scope.isTrue(place.scope().get("BUILD_SHARED_LIBS")) ? Kind.SHARED : Kind.STATIC;
    if (!rest.isEmpty()) {
      switch (rest.getFirst()) {
        case "STATIC", "SHARED", "OBJECT", "INTERFACE" -> kind = Kind.valueOf(rest.removeFirst());
        case "MODULE" -> {
          kind = Kind.SHARED;
          rest.removeFirst();
        }
        default -> {}
      }
    }
    rest.remove("EXCLUDE_FROM_ALL");
    addSources(call, add(call, name, kind, place), rest, place);
  }

  private void sources(Call call, List<String> words, Place place) throws CMakeException {
    CMakeTarget target = target(call, words);
    if (words.contains("FILE_SET")) {
      throw call.unsupported("target_sources(FILE_SET)");
    }
    List<String> names = new ArrayList<>(words.subList(1, words.size()));
    names.removeAll(VISIBILITY);
    addSources(call, target, names, place);
  }

  private void addSources(Call call, CMakeTarget target, List<String> names, Place place)
      throws CMakeException {
    for (String name : names) {
      if (name.startsWith("$<TARGET_OBJECTS:")) {
        target.objectsOf.add(name.substring(17, name.length() - 1));
        continue;
      }
      if (Set.of("WIN32", "MACOSX_BUNDLE", "EXCLUDE_FROM_ALL", "OPTIONS").contains(name)) {
        if (name.equals("OPTIONS")) {
          throw call.unsupported(call.name() + "(OPTIONS)");
        }
        continue;
      }
      if (name.contains("$<")) {
        throw call.unsupported("the source " + name);
      }
      Path file = place.folder().resolve(name).normalize();
      if (!Files.isRegularFile(file)) {
        // A port with renamed sources leaves the old names in build files.
        Path renamed = Path.of(file.toString().replaceFirst("\\.cu$", ".hip"));
        if (!Files.isRegularFile(renamed)) {
          throw call.error("no such source: " + name);
        }
        file = renamed;
      }
      target.sources.add(file);
    }
  }

  private void usage(Call call, List<String> words, Place place) throws CMakeException {
    CMakeTarget target = target(call, words);
    Usage usage =
        switch (call.name()) {
          case "target_include_directories" -> target.includes;
          case "target_compile_definitions" -> target.definitions;
          case "target_compile_options" -> target.options;
          case "target_compile_features" -> target.features;
          default -> target.linkOptions;
        };
    check(call, String.join(";", words.subList(1, words.size())));
    String visibility = target.kind() == Kind.INTERFACE ? "INTERFACE" : "PUBLIC";
    for (String w : words.subList(1, words.size())) {
      if (VISIBILITY.contains(w)) {
        visibility = w;
      } else if (!Set.of("SYSTEM", "BEFORE", "AFTER").contains(w)) {
        String value =
            switch (call.name()) {
              case "target_include_directories" -> folder(w, place);
              case "target_link_directories" -> "-L" + folder(w, place);
              default -> w;
            };
        usage.add(visibility, value);
      }
    }
  }

  private static void check(Call call, String value) throws CMakeException {
    var unknown = GeneratorExpression.unknownIn(List.of(value));
    if (unknown.isPresent()) {
      throw call.unsupported("the expression " + unknown.get());
    }
  }

  private static String folder(String name, Place place) {
    return name.contains("$<") ? name : place.folder().resolve(name).normalize().toString();
  }

  private static void directories(List<String> words, Place place, List<String> to) {
    boolean before = false;
    int at = 0;
    for (String w : words) {
      if (w.equals("BEFORE")) {
        before = true;
      } else if (!w.equals("SYSTEM") && !w.equals("AFTER")) {
        if (before) {
          to.add(at++, folder(w, place));
        } else {
          to.add(folder(w, place));
        }
      }
    }
  }

  private static void definitions(List<String> words, Place place) {
    for (String w : words) {
      if (w.startsWith("-D")) {
        place.directory().definitions.add(w.substring(2));
      } else {
        place.directory().options.add(w);
      }
    }
  }

  private void link(Call call, List<String> words) throws CMakeException {
    CMakeTarget target = target(call, words);
    String visibility = target.kind() == Kind.INTERFACE ? "INTERFACE" : "PUBLIC";
    for (String w : words.subList(1, words.size())) {
      if (VISIBILITY.contains(w)) {
        visibility = w.replace("LINK_", "");
      } else if (w.equals("debug")) {
        throw call.unsupported("target_link_libraries(debug ...)");
      } else if (!w.equals("optimized") && !w.equals("general")) {
        check(call, w);
        target.libraries.add(visibility, w);
      }
    }
  }

  private void properties(Call call, List<String> words) throws CMakeException {
    int at = words.indexOf("PROPERTIES");
    if (at < 1) {
      throw call.error("PROPERTIES is missing");
    }
    for (String name : words.subList(0, at)) {
      CMakeTarget target = target(call, List.of(name));
      for (int i = at + 1; i + 1 < words.size(); i += 2) {
        target.properties.put(words.get(i), words.get(i + 1));
      }
    }
  }

  private static void sourceProperties(List<String> words, Place place) {
    int at = words.indexOf("PROPERTIES");
    for (int i = at + 1; at >= 0 && i + 1 < words.size(); i += 2) {
      for (String name : words.subList(0, at)) {
        place
            .scope()
            .setDefault(
                sourceKey(place.folder().resolve(name).normalize(), words.get(i)),
                words.get(i + 1),
                true);
      }
    }
  }

  static String sourceKey(Path file, String property) {
    return "source property " + property + " " + file;
  }

  private void property(Call call, List<String> words, Place place) throws CMakeException {
    int at = words.indexOf("PROPERTY");
    if (at < 1 || at + 1 >= words.size()) {
      throw call.error("PROPERTY is missing");
    }
    String key = words.get(at + 1);
    String value = String.join(";", words.subList(at + 2, words.size()));
    List<String> names = new ArrayList<>(words.subList(1, at));
    boolean append = names.removeAll(Set.of("APPEND", "APPEND_STRING"));
    switch (words.getFirst()) {
      case "TARGET" -> {
        for (String name : names) {
          CMakeTarget target = target(call, List.of(name));
          String old = append ? target.property(key) : "";
          target.properties.put(key, old.isEmpty() ? value : old + ";" + value);
        }
      }
      case "SOURCE" -> {
        List<String> all = new ArrayList<>(names);
        all.addAll(List.of("PROPERTIES", key, value));
        sourceProperties(all, place);
      }
      default -> {
        if (!Set.of("GLOBAL", "TEST", "CACHE", "INSTALL").contains(words.getFirst())) {
          throw call.unsupported("set_property(" + words.getFirst() + ")");
        }
      }
    }
  }
}
