package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Entry;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import dev.rocport.rules.Changes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Ports one CMake file. */
final class ListPort {
  static final String LANGUAGE = "CMAKE-LANGUAGE";
  static final String PACKAGE = "CMAKE-PACKAGE";
  static final String TARGET = "CMAKE-TARGET";
  static final String VARIABLE = "CMAKE-VARIABLE";
  static final String FLAG = "CMAKE-FLAG";
  static final String ARCH = "CMAKE-ARCH";
  static final String SOURCE = "CMAKE-SOURCE";
  static final String RDC = "CMAKE-RDC";
  static final String LEGACY = "CMAKE-FINDCUDA";
  static final String VERSION = "CMAKE-VERSION";
  static final String UNKNOWN = "CMAKE-UNKNOWN";

  /** The first CMake version with the language HIP. */
  private static final int[] HIP_SINCE = {3, 21};

  private static final Pattern REFERENCE = Pattern.compile("\\$\\{(\\w+)\\}");

  /**
   * A repository by its URL, by the short form of CPM, or by owner and name; group 1 is its name.
   */
  private static final Pattern PROJECT =
      Pattern.compile(
          "(?i)(?:.*github\\.com[:/]|gh:|)(?:NVIDIA(?:Corporation|Labs|-\\w+)?|NVlabs|rapidsai)"
              + "/([\\w-]+?)(?:\\.git|[@#/].*)?");

  private static final Pattern TOOLS =
      Pattern.compile(
          "(.*/)?(nvidia-smi|cuobjdump|nvdisasm|nvprof|nsys|ncu|compute-sanitizer|cuda-memcheck"
              + "|fatbinary|ptxas|nvlink|bin2c|cuda-gdb)");
  private static final Pattern KEYWORD = Pattern.compile("[A-Z][A-Z0-9_]*");
  private static final String ALWAYS = "ON";
  private static final Set<String> ON = Set.of("ON", "TRUE", "1", "YES", "Y");

  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;
  private final NamePass names;
  private final Definitions definitions;

  /**
   * @param twin whether the port becomes a twin next to the original
   */
  ListPort(CMakeFile file, CMakeFacts facts, Changes changes, boolean twin) {
    this.file = file;
    this.facts = facts;
    this.draft = new CMakeDraft(file, changes);
    this.names = new NamePass(file, facts, draft);
    this.definitions = new Definitions(file, draft, twin);
  }

  void port() {
    List<CMakeCommand> commands = file.commands();
    LeftOut leftOut = new LeftOut(file, facts, draft);
    leftOut.port();
    for (int i = 0; i < commands.size(); i++) {
      CMakeCommand c = commands.get(i);
      if (!leftOut.has(i)) {
        definitions.port(c);
        command(c);
        names.port(c);
        draft.flush(c, ruleOfLines(c));
      }
    }
  }

  private static String ruleOfLines(CMakeCommand c) {
    return switch (c.name()) {
      case "project", "enable_language", "cmake_minimum_required" -> LANGUAGE;
      case "find_package", "find_dependency" -> PACKAGE;
      case "set_target_properties", "set_property", "target_compile_options" -> RDC;
      default -> c.name().startsWith("cuda_") ? LEGACY : SOURCE;
    };
  }

  private void command(CMakeCommand c) {
    switch (c.name()) {
      case "cmake_minimum_required" -> minimum(c);
      case "project" -> languages(c, 1);
      case "enable_language", "check_language" -> languages(c, 0);
      case "find_package", "find_dependency" -> findPackage(c);
      case "include" -> include(c);
      case "set", "list", "string" -> assignment(c);
      case "set_target_properties", "set_source_files_properties", "set_directory_properties" ->
          properties(c);
      case "set_property", "get_property", "get_target_property", "get_source_file_property" ->
          property(c);
      case "add_executable", "add_library", "target_sources" -> sources(c);
      case "python_add_library",
          "python2_add_library",
          "python3_add_library",
          "pybind11_add_module",
          "nanobind_add_module" ->
          sources(c);
      case "target_link_libraries", "link_libraries" -> libraries(c);
      case "target_compile_features" -> features(c);
      case "target_compile_options", "add_compile_options" -> options(c);
      case "find_library" -> findLibrary(c);
      case "add_custom_command", "add_custom_target", "execute_process", "try_compile", "try_run" ->
          programs(c);
      case "externalproject_add", "fetchcontent_declare", "cpmaddpackage" -> others(c);
      default -> {
        if (facts.isFunction(c.name())) {
          keywords(c);
        } else {
          CMakeNames.of(Kind.COMMAND, c.name()).ifPresent(e -> legacy(c, e));
          foreign(c);
          if (CMakeNames.of(Kind.COMMAND, c.name()).isEmpty() && c.name().startsWith("cuda_")) {
            draft.problem(c.start(), c.end(), c.name() + "() has no HIP counterpart in CMake");
          }
        }
      }
    }
    for (int[] content : Genex.forCuda(file.text(), c.start(), c.end())) {
      boolean rdc = draft.flags(content[0], content[1], FlagText.Form.LIST, false);
      unknownFlags(content[0], content[1]);
      if (rdc && c.name().equals("target_compile_options")) {
        linkRelocatable(c.arguments().getFirst().text(), "PRIVATE");
      }
    }
  }

  /** Ports an argument that must remain a single argument. */
  private void parameter(Argument word) {
    FlagText flags = FlagText.of(file.text(), word.start(), word.end(), FlagText.Form.LIST, false);
    if (word.quoted()) {
      draft.flags(word.start(), word.end(), FlagText.Form.STRING, false);
    } else if (flags.changes().isEmpty() || flags.left().size() == 1) {
      draft.flags(word.start(), word.end(), FlagText.Form.LIST, false);
    } else if (flags.left().isEmpty()) {
      draft.report(flags);
      draft.replace(word.start(), word.end(), "\"\"", FLAG);
    } else {
      draft.problem(
          word.start(),
          word.end(),
          word.text()
              + " translates to several clang flags where the function accepts one: "
              + String.join(" ", flags.left()));
    }
  }

  /** Reports CUDA sources that are passed to functions of other projects. */
  private void foreign(CMakeCommand c) {
    boolean own =
        CMakeNames.of(Kind.COMMAND, c.name()).isPresent()
            || c.name()
                .matches(
                    "(?:install|file|configure_file|source_group|message|list|if|elseif|foreach)");
    for (Argument word : own ? List.<Argument>of() : c.arguments()) {
      if (facts.isCuda() && word.text().endsWith(".cu")) {
        draft.problem(
            word.start(),
            word.end(),
            c.name()
                + "() is not defined in this project; check that it compiles this source as HIP"
                + " (source property LANGUAGE)");
      }
    }
  }

  /** Ports flags that a function of the project gets after a keyword or as a parameter. */
  private void keywords(CMakeCommand c) {
    for (int i : facts.flagParameters(c.name())) {
      if (i < c.arguments().size()) {
        parameter(c.arguments().get(i));
      }
    }
    Set<String> keywords = facts.flagKeywords(c.name());
    List<Argument> a = c.arguments();
    int i = 0;
    while (i < a.size()) {
      boolean flags = !a.get(i).quoted() && keywords.contains(a.get(i).text());
      int from = ++i;
      while (flags
          && i < a.size()
          && !(!a.get(i).quoted() && KEYWORD.matcher(a.get(i).text()).matches())) {
        i++;
      }
      if (flags && i > from) {
        draft.flags(a.get(from).start(), a.get(i - 1).end(), FlagText.Form.LIST, false);
      }
    }
  }

  /** Reports flags from variables whose value is not known. */
  private void unknownFlags(int from, int to) {
    Matcher m = REFERENCE.matcher(file.text()).region(from, to);
    while (m.find()) {
      String name = m.group(1);
      if (!facts.isOwn(name)
          && facts.flags(name) == null
          && CMakeNames.of(Kind.VARIABLE, name).isEmpty()) {
        draft.doubt(
            FLAG,
            m.start(),
            m.end(),
            "the value of " + name + " is not known; replace nvcc flags in it with clang flags");
      }
    }
  }

  // Languages and packages

  private void minimum(CMakeCommand c) {
    List<Argument> a = c.arguments();
    if (!facts.isCuda() || a.size() < 2 || !a.getFirst().is("VERSION")) {
      return;
    }
    String text = a.get(1).text();
    int dots = text.indexOf("...");
    String least = dots < 0 ? text : text.substring(0, dots);
    if (!isBefore(least, HIP_SINCE)) {
      return;
    }
    String since = HIP_SINCE[0] + "." + HIP_SINCE[1];
    boolean range = dots >= 0 && !isBefore(text.substring(dots + 3), HIP_SINCE);
    draft.replace(
        a.get(1).start(), a.get(1).end(), range ? since + text.substring(dots) : since, LANGUAGE);
    // Keeps the policies of the original version.
    draft.after("cmake_policy(VERSION " + text + ")", LANGUAGE);
  }

  private static boolean isBefore(String version, int[] since) {
    String[] parts = version.split("\\.");
    try {
      int major = Integer.parseInt(parts[0]);
      int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
      return major < since[0] || (major == since[0] && minor < since[1]);
    } catch (NumberFormatException e) {
      return false; // the version is a variable
    }
  }

  private void languages(CMakeCommand c, int from) {
    List<Argument> a = c.arguments();
    for (int i = from; i < a.size(); i++) {
      if (a.get(i).is("CUDA")) {
        draft.replace(a.get(i).start(), a.get(i).end(), "HIP", LANGUAGE);
      }
    }
  }

  private void findPackage(CMakeCommand c) {
    List<Argument> a = c.arguments();
    Optional<Entry> known =
        a.isEmpty() ? Optional.empty() : CMakeNames.of(Kind.PACKAGE, a.getFirst().text());
    if (known.isEmpty()) {
      return;
    }
    if (known.get().action() == Action.REFUSE) {
      draft.problem(
          c.start(),
          c.end(),
          a.getFirst().text() + " is an NVIDIA package: " + known.get().reason());
      return;
    }
    draft.replace(a.getFirst().start(), a.getFirst().end(), known.get().rocm(), PACKAGE);
    List<String> kept = new ArrayList<>();
    for (Argument word : a.subList(1, a.size())) {
      if (word.is("REQUIRED") || word.is("QUIET")) {
        kept.add(word.text());
      } else {
        draft.delete(word, PACKAGE); // a CUDA version, or components
      }
    }
    String more = kept.isEmpty() ? "" : " " + String.join(" ", kept);
    boolean list = file.source().path().endsWith("CMakeLists.txt");
    if (known.get().rocm().equals("hip")) {
      for (String needed : facts.packages(list ? file.folder() : "")) {
        draft.after(c.name() + "(" + needed + more + ")", PACKAGE);
      }
    }
    if (facts.isLegacy() && a.getFirst().text().equals("CUDA")) {
      if (kept.contains("REQUIRED")) {
        draft.after("enable_language(HIP)", PACKAGE);
      } else {
        draft.after("if(hip_FOUND)", PACKAGE);
        draft.after("  enable_language(HIP)", PACKAGE);
        draft.after("endif()", PACKAGE);
      }
    }
  }

  private void include(CMakeCommand c) {
    if (!c.arguments().isEmpty()) {
      CMakeNames.of(Kind.MODULE, c.arguments().getFirst().text())
          .ifPresent(e -> draft.problem(c.start(), c.end(), e.cuda() + ": " + e.reason()));
    }
  }

  // Variables

  private void assignment(CMakeCommand c) {
    String variable = CMakeFacts.assigned(c);
    Optional<Entry> known = CMakeNames.of(Kind.VARIABLE, variable);
    Action action = known.map(Entry::action).orElse(Action.RENAME);
    FlagText.Form own = facts.flags(variable);
    if (action == Action.SEPARABLE) {
      if (c.name().equals("set")) {
        String indent = file.source().newline() + file.indentation(c);
        List<Argument> a = c.arguments();
        String when = a.size() > 1 ? a.get(1).text() : "OFF";
        draft.replace(
            c.start(),
            c.end(),
            "add_compile_options(%s)%sadd_link_options(%s)"
                .formatted(rdc("COMPILE_LANGUAGE", when), indent, rdc("LINK_LANGUAGE", when)),
            RDC);
      }
    } else if (action == Action.LIST_FLAGS) {
      listOfFlags(c, known.orElseThrow());
    } else if (action == Action.FLAGS || own != null) {
      int[] v = c.values();
      draft.flags(v[0], v[1], own == null ? FlagText.Form.STRING : own, false);
    } else if (variable.equals("CMAKE_CUDA_COMPILER")) {
      draft.problem(
          c.start(),
          c.end(),
          "CMake finds the HIP compiler; set CMAKE_HIP_COMPILER for another one");
    }
  }

  /** Converts a list of flags for FindCUDA to a string of flags for CMake. */
  private void listOfFlags(CMakeCommand c, Entry to) {
    FlagText flags = LeftOut.flags(file, facts, c).orElseThrow();
    draft.report(flags);
    int[] v = c.values();
    List<Argument> a = c.arguments();
    String between = file.text().substring(v[0], v[1]);
    if (between.contains("#")
        || flags.remarks().stream().anyMatch(FlagText.Remark::problem)
        || (c.name().equals("list") && !a.getFirst().is("APPEND"))) {
      draft.problem(
          c.start(), c.end(), "these flags cannot be translated; set them in " + to.rocm());
      return;
    }
    String words =
        flags.left().stream()
            .map(w -> w.replace("${" + to.cuda() + "}", "${" + to.rocm() + "}"))
            .collect(Collectors.joining(" "));
    String more = file.text().substring(v[1], c.end());
    String text =
        c.name().equals("set")
            ? "set(%s \"%s\"%s".formatted(to.rocm(), words, more)
            : "string(APPEND %s \" %s\"%s".formatted(to.rocm(), words, more);
    draft.replace(c.start(), c.end(), text, LEGACY);
    draft.cover(c.start(), c.end());
  }

  // Properties

  private void properties(CMakeCommand c) {
    List<Argument> a = c.arguments();
    for (Argument name : c.pairs()) {
      Argument value = a.get(a.indexOf(name) + 1);
      if (name.is("LANGUAGE") && value.text().equals("CUDA")) {
        draft.replace(value.start(), value.end(), "HIP", SOURCE);
      }
      CMakeNames.of(Kind.PROPERTY, name.text()).ifPresent(e -> property(c, e, name, value));
    }
  }

  private void property(CMakeCommand c, Entry e, Argument name, Argument value) {
    switch (e.action()) {
      case RENAME -> draft.replace(name.start(), name.end(), e.rocm(), VARIABLE);
      case ARCH, DROP -> {
        String why = e.action() == Action.ARCH ? LeftOut.ARCH_ADVICE : e.reason();
        draft.note(
            e.action() == Action.ARCH ? ARCH : VARIABLE,
            name.start(),
            value.end(),
            name.text() + " is left out: " + why);
        draft.delete(value, VARIABLE);
        draft.delete(name, VARIABLE);
      }
      case SEPARABLE -> {
        boolean alone =
            c.pairs().stream().allMatch(p -> p.equals(name) || LeftOut.isDropped(p.text()));
        if (!LeftOut.isOff(value.text())) {
          relocatable(c, value.text(), alone);
        }
        if (!alone) {
          draft.delete(value, RDC);
          draft.delete(name, RDC);
        }
      }
      default -> draft.problem(name.start(), value.end(), name.text() + ": " + e.reason());
    }
  }

  private void property(CMakeCommand c) {
    Optional<Argument> name = c.property();
    List<Argument> a = c.arguments();
    if (c.name().equals("set_property") && name.isPresent()) {
      int at = a.indexOf(name.get());
      if (name.get().is("LANGUAGE") && at + 1 < a.size() && a.get(at + 1).text().equals("CUDA")) {
        draft.replace(a.get(at + 1).start(), a.get(at + 1).end(), "HIP", SOURCE);
      }
      Optional<Entry> e = CMakeNames.of(Kind.PROPERTY, name.get().text());
      if (e.isPresent() && e.get().action() == Action.SEPARABLE && a.getFirst().is("TARGET")) {
        relocatable(c, a.getLast().text(), true);
      } else if (e.isPresent()) {
        plainProperty(e.get(), name.get());
      }
      return;
    }
    for (Argument word : a) {
      CMakeNames.of(Kind.PROPERTY, word.text()).ifPresent(e -> plainProperty(e, word));
    }
  }

  private void plainProperty(Entry e, Argument name) {
    if (e.action() == Action.RENAME) {
      draft.replace(name.start(), name.end(), e.rocm(), VARIABLE);
    } else {
      draft.problem(
          name.start(),
          name.end(),
          name.text() + " has no counterpart" + (e.reason().isEmpty() ? "" : ": " + e.reason()));
    }
  }

  /**
   * Returns the generator expression with the flag for relocatable device code.
   *
   * @param test COMPILE_LANGUAGE or LINK_LANGUAGE
   * @param when a CMake value that turns the flag on
   */
  private static String rdc(String test, String when) {
    String hip = "$<" + test + ":HIP>";
    boolean always = ON.contains(when.toUpperCase(Locale.ROOT));
    String condition = always ? hip : "$<AND:%s,$<BOOL:%s>>".formatted(hip, when);
    return "$<%s:-fgpu-rdc>".formatted(condition);
  }

  /** Adds the compile and link options for relocatable device code to targets. */
  private void relocatable(CMakeCommand c, String when, boolean instead) {
    List<Argument> a = c.arguments();
    int from = c.name().equals("set_property") ? 1 : 0;
    List<String> lines = new ArrayList<>();
    for (Argument target : a.subList(from, a.size())) {
      if (target.is("PROPERTIES") || target.is("PROPERTY") || target.is("APPEND")) {
        break;
      }
      lines.add(
          "target_compile_options(%s PRIVATE %s)"
              .formatted(target.text(), rdc("COMPILE_LANGUAGE", when)));
      // Targets that link an archive of such objects also link its device code.
      lines.add(
          "target_link_options(%s %s %s)"
              .formatted(
                  target.text(),
                  facts.isLibrary(target.text()) ? "PUBLIC" : "PRIVATE",
                  rdc("LINK_LANGUAGE", when)));
    }
    if (instead) {
      String nl = file.source().newline() + file.indentation(c);
      draft.replace(c.start(), c.end(), String.join(nl, lines), RDC);
      draft.cover(c.start(), c.end());
    } else {
      lines.forEach(line -> draft.after(line, RDC));
    }
  }

  private void linkRelocatable(String target, String scope) {
    draft.after(
        "target_link_options(%s %s %s)".formatted(target, scope, rdc("LINK_LANGUAGE", ALWAYS)),
        RDC);
  }

  // Targets

  private void sources(CMakeCommand c) {
    List<Argument> a = c.arguments();
    if (!facts.isCuda()
        || a.isEmpty()
        || a.stream().anyMatch(w -> w.is("IMPORTED") || w.is("ALIAS"))) {
      return;
    }
    setLanguage(c, a.subList(1, a.size()));
  }

  /**
   * Sets the language of CUDA sources to HIP, because CMake selects the language by the extension.
   */
  private void setLanguage(CMakeCommand c, List<Argument> words) {
    String where =
        c.name().equals("target_sources")
            ? " TARGET_DIRECTORY " + c.arguments().getFirst().text()
            : "";
    List<String> known = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (Argument word : words) {
      String text = word.text();
      if (text.matches("\\$\\{\\w+\\}")) {
        switch (facts.sources(text.substring(2, text.length() - 1))) {
          case ALL -> known.add(text);
          case SOME -> open.add(text);
          case NONE -> {}
        }
      } else if (text.endsWith(".cu") && !text.contains("$<")) {
        known.add(word.quoted() ? "\"" + text + "\"" : text);
      } else if (text.contains(".cu") && text.contains("$<") && !text.contains(".cuh")) {
        draft.problem(
            word.start(),
            word.end(),
            "the sources of this expression are not known; set the property LANGUAGE of CUDA"
                + " sources to HIP HIP");
      }
    }
    String language = where + " PROPERTIES LANGUAGE HIP)";
    if (!known.isEmpty()) {
      draft.after("set_source_files_properties(" + String.join(" ", known) + language, SOURCE);
    }
    if (!open.isEmpty()) {
      draft.after("set(hip_sources " + String.join(" ", open) + ")", SOURCE);
      draft.after("list(FILTER hip_sources INCLUDE REGEX \"\\\\.cu$\")", SOURCE);
      draft.after("set_source_files_properties(${hip_sources}" + language, SOURCE);
    }
  }

  private void legacy(CMakeCommand c, Entry e) {
    int end = c.start() + c.name().length();
    switch (e.cuda()) {
      case "cuda_add_executable", "cuda_add_library" -> {
        draft.replace(c.start(), end, e.cuda().substring("cuda_".length()), LEGACY);
        List<Argument> a = c.arguments();
        int options = 0;
        while (options < a.size() && !a.get(options).is("OPTIONS")) {
          options++;
        }
        setLanguage(c, a.subList(Math.min(1, a.size()), options));
        String target = a.isEmpty() ? "" : a.getFirst().text();
        if (options < a.size()) {
          optionsOf(target, a.subList(options, a.size()));
        }
        draft.after("target_link_libraries(%s %ship::host)".formatted(target, keyword()), LEGACY);
      }
      case "cuda_add_cublas_to_target", "cuda_add_cufft_to_target" -> {
        draft.replace(c.start(), end, "target_link_libraries", LEGACY);
        draft.replace(c.end() - 1, c.end(), " " + keyword() + e.rocm() + ")", LEGACY);
      }
      default -> {
        if (e.action() == Action.RENAME) {
          draft.replace(c.start(), end, e.rocm(), LEGACY);
        } else {
          draft.problem(c.start(), c.end(), c.name() + "(): " + e.reason());
        }
      }
    }
  }

  /**
   * Returns the link keyword. FindCUDA links with or without one, and CMake requires the same form
   * for all links of a target.
   */
  private String keyword() {
    return facts.isOwn("CUDA_LINK_LIBRARIES_KEYWORD") ? "${CUDA_LINK_LIBRARIES_KEYWORD} " : "";
  }

  private void optionsOf(String target, List<Argument> options) {
    int from = options.getFirst().end();
    int to = options.getLast().end();
    FlagText flags = FlagText.of(file.text(), from, to, FlagText.Form.LIST, false);
    draft.report(flags);
    if (!flags.left().isEmpty()) {
      draft.after(
          "target_compile_options(%s PRIVATE $<$<COMPILE_LANGUAGE:HIP>:%s>)"
              .formatted(target, String.join(";", flags.left())),
          LEGACY);
    }
    options.forEach(o -> draft.delete(o, LEGACY));
    draft.cover(from, to);
  }

  private void libraries(CMakeCommand c) {
    List<String> found = new ArrayList<>();
    List<Argument> a = c.arguments();
    int from = c.name().equals("link_libraries") ? 0 : 1;
    for (Argument word : a.subList(Math.min(from, a.size()), a.size())) {
      Optional<Entry> e = facts.plainLibrary(word);
      if (e.isEmpty()) {
        if (facts.isOpenMp() && word.text().matches("(-l)?gomp")) {
          draft.doubt(
              FLAG,
              word.start(),
              word.end(),
              word.text()
                  + " is GNU's OpenMP runtime, but sources in the language HIP with -fopenmp are"
                  + " compiled for clang's; a program must have only one",
              "Remove it where a target has such sources: -fopenmp links clang's runtime.");
        }
        continue;
      }
      switch (e.get().action()) {
        case RENAME -> {
          draft.replace(word.start(), word.end(), e.get().rocm(), TARGET);
          boolean there = facts.findsCuda() || facts.finds(e.get().needs());
          if (!there && !found.contains(e.get().needs())) {
            found.add(e.get().needs());
          }
        }
        case DROP -> draft.delete(word, TARGET);
        default -> draft.problem(word.start(), word.end(), word.text() + ": " + e.get().reason());
      }
    }
    draft.before(c, found.stream().map(p -> "find_package(" + p + " REQUIRED)").toList(), TARGET);
  }

  private void features(CMakeCommand c) {
    for (Argument word : c.arguments()) {
      if (word.text().matches("cuda_std_\\d+")) {
        draft.replace(
            word.start(), word.end(), word.text().replace("cuda_std", "hip_std"), VARIABLE);
      }
    }
  }

  private void options(CMakeCommand c) {
    List<Argument> a = c.arguments();
    int from = c.name().startsWith("target") ? 1 : 0;
    if (a.size() <= from || file.text().substring(c.start(), c.end()).contains("$<")) {
      return; // NamePass ports generator expressions
    }
    boolean rdc = draft.flags(a.get(from).start(), a.getLast().end(), FlagText.Form.LIST, true);
    if (rdc && from == 1) {
      linkRelocatable(a.getFirst().text(), "PRIVATE");
    }
  }

  private void findLibrary(CMakeCommand c) {
    List<Argument> a = c.arguments();
    for (Argument word : a.subList(Math.min(1, a.size()), a.size())) {
      Optional<Entry> e = CMakeNames.library(word.text());
      if (e.isPresent()) {
        String instead =
            e.get().rocm().isEmpty()
                ? e.get().reason()
                : "link %s of find_package(%s)".formatted(e.get().rocm(), e.get().needs());
        draft.problem(c.start(), c.end(), word.text() + " is an NVIDIA library: " + instead);
        return;
      }
    }
  }

  // Programs and other projects

  private void programs(CMakeCommand c) {
    for (Argument word : c.arguments()) {
      String text = word.text();
      if (text.matches("(.*/)?nvcc|\\$\\{CMAKE_CUDA_COMPILER\\}|\\$\\{CUDA_NVCC_EXECUTABLE\\}")) {
        draft.problem(
            word.start(),
            word.end(),
            "this command calls nvcc; call ${CMAKE_HIP_COMPILER} with clang flags instead");
      } else if (TOOLS.matcher(text).matches()) {
        draft.problem(
            word.start(),
            word.end(),
            text + " is an NVIDIA program; call its ROCm counterpart or remove the command");
      }
    }
  }

  private void others(CMakeCommand c) {
    for (Argument word : c.arguments()) {
      if (!draft.isCovered(word.start(), word.end())) {
        Matcher m = PROJECT.matcher(word.text());
        if (m.matches()) {
          String instead =
              CMakeNames.of(Kind.PROJECT, m.group(1))
                  .map(Entry::reason)
                  .orElse("check which parts of it the sources use");
          draft.problem(
              word.start(),
              word.end(),
              m.group(1) + " is a project for NVIDIA GPUs and was not ported: " + instead);
        }
      }
    }
  }
}
