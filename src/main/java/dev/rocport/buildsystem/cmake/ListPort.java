package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Entry;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import dev.rocport.buildsystem.shared.CubNamespace;
import dev.rocport.commandline.HostWarnings;
import dev.rocport.rules.Changes;
import java.util.List;
import java.util.Optional;
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

  private static final Pattern WARNINGS =
      Pattern.compile("(?<![\\w=-])" + HostWarnings.ERRORS + "(?![\\w=-])");

  private static final Pattern HOST_FLAGS = Pattern.compile("CMAKE_C(?:XX)?_FLAGS(?:_\\w+)?");

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

  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;
  private final NamePass names;
  private final Definitions definitions;
  private final FunctionArguments arguments;
  private final PackagePort packages;
  private final RelocatableCode relocatable;
  private final PropertyPort properties;
  private final TargetPort targets;
  private final CubNamespace namespaces;

  /**
   * @param twin whether the port becomes a twin next to the original
   */
  ListPort(CMakeFile file, CMakeFacts facts, Changes changes, boolean twin) {
    this.file = file;
    this.facts = facts;
    this.draft = new CMakeDraft(file, changes);
    this.namespaces = new CubNamespace(changes);
    this.names = new NamePass(file, facts, draft);
    this.definitions = new Definitions(file, draft, twin);
    this.arguments = new FunctionArguments(file, facts, draft);
    this.packages = new PackagePort(file, facts, draft);
    this.relocatable = new RelocatableCode(file, facts, draft);
    this.properties = new PropertyPort(facts, draft, relocatable);
    this.targets = new TargetPort(file, facts, draft);
  }

  void port() {
    List<CMakeCommand> commands = file.commands();
    LeftOut leftOut = new LeftOut(file, facts, draft);
    leftOut.port();
    for (int i = 0; i < commands.size(); i++) {
      CMakeCommand c = commands.get(i);
      if (!leftOut.has(i)) {
        namespaces.report(file.text(), c.start(), c.end());
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
      case "set" -> VARIABLE;
      default -> c.name().startsWith("cuda_") ? LEGACY : SOURCE;
    };
  }

  private void command(CMakeCommand c) {
    switch (c.name()) {
      case "cmake_minimum_required" -> minimum(c);
      case "project" -> languages(c, 1);
      case "enable_language", "check_language" -> languages(c, 0);
      case "find_package", "find_dependency" -> packages.findPackage(c);
      case "include" -> packages.include(c);
      case "set", "list", "string" -> assignment(c);
      case "set_target_properties", "set_source_files_properties", "set_directory_properties" ->
          properties.properties(c);
      case "set_property", "get_property", "get_target_property", "get_source_file_property" ->
          properties.property(c);
      case "add_executable", "add_library", "target_sources" -> targets.sources(c);
      case "python_add_library",
          "python2_add_library",
          "python3_add_library",
          "pybind11_add_module",
          "nanobind_add_module" ->
          targets.sources(c);
      case "target_link_libraries", "link_libraries" -> packages.libraries(c);
      case "target_compile_features" -> features(c);
      case "target_compile_options", "add_compile_options" -> options(c);
      case "find_library" -> packages.findLibrary(c);
      case "add_custom_command", "add_custom_target", "execute_process", "try_compile", "try_run" ->
          programs(c);
      case "externalproject_add", "fetchcontent_declare", "cpmaddpackage" -> others(c);
      default -> {
        if (facts.isFunction(c.name())) {
          arguments.keywords(c);
        } else {
          Optional<Entry> known = CMakeNames.of(Kind.COMMAND, c.name());
          if (c.name().equals("cuda_find_library_local_first")) {
            packages.findLocalLibrary(c, known.orElseThrow());
          } else {
            known.ifPresent(e -> targets.legacy(c, e));
          }
          arguments.foreign(c);
          if (known.isEmpty() && c.name().startsWith("cuda_")) {
            draft.problem(c.start(), c.end(), c.name() + "() has no HIP counterpart in CMake");
          }
        }
      }
    }
    for (int[] content : Genex.forCuda(file.text(), c.start(), c.end())) {
      boolean rdc = draft.flags(content[0], content[1], FlagText.Form.LIST, false);
      unknownFlags(content[0], content[1]);
      if (rdc && c.name().equals("target_compile_options")) {
        relocatable.link(c.arguments().getFirst().text(), "PRIVATE");
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

  // Languages

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
        // The package hip looks for threads, for which CMake needs a host language.
        boolean alone = facts.findsCuda() && !facts.compilesForHost();
        draft.replace(a.get(i).start(), a.get(i).end(), alone ? "CXX HIP" : "HIP", LANGUAGE);
      }
    }
  }

  // Variables

  private void assignment(CMakeCommand c) {
    String variable = CMakeFacts.assigned(c);
    if (facts.isCuda() && HOST_FLAGS.matcher(variable).matches()) {
      int[] v = c.values();
      warnings(v[0], v[1]);
    }
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
                .formatted(
                    RelocatableCode.flag("COMPILE_LANGUAGE", when),
                    indent,
                    RelocatableCode.flag("LINK_LANGUAGE", when)),
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
          "CMake finds the HIP compiler; to use a different one, set CMAKE_HIP_COMPILER");
    }
  }

  /** Adds an exception after each {@code -Werror}. */
  private void warnings(int from, int to) {
    Matcher m = WARNINGS.matcher(file.text()).region(from, to).useTransparentBounds(true);
    while (m.find()) {
      draft.insert(m.end(), " " + HostWarnings.EXCEPTION, FLAG);
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

  // Targets

  private void features(CMakeCommand c) {
    for (Argument word : c.arguments()) {
      if (word.text().matches("cuda_std_\\d+")) {
        String hip =
            word.text().equals("cuda_std_11") ? "hip_std_14" : "hip" + word.text().substring(4);
        draft.replace(word.start(), word.end(), hip, VARIABLE);
      }
    }
  }

  private void options(CMakeCommand c) {
    List<Argument> a = c.arguments();
    int from = c.name().startsWith("target") ? 1 : 0;
    if (a.size() <= from
        || !facts.isCuda()
        || file.text().substring(c.start(), c.end()).contains("$<")) {
      return; // NamePass ports generator expressions
    }
    for (Argument word : a.subList(from, a.size())) {
      if (word.is(HostWarnings.ERRORS)) {
        // clang has other warnings than the host compiler of nvcc.
        draft.insert(
            word.end(),
            " " + HostWarnings.EXCEPTION + " $<$<COMPILE_LANGUAGE:HIP>:-Wno-error>",
            FLAG);
      }
    }
    boolean rdc = draft.flags(a.get(from).start(), a.getLast().end(), FlagText.Form.LIST, true);
    if (rdc && from == 1) {
      relocatable.link(a.getFirst().text(), "PRIVATE");
    }
  }

  // Programs and other projects

  private void programs(CMakeCommand c) {
    for (CompilerCall call : CompilerCall.in(c)) {
      if (call.isPorted(c, facts)) {
        deviceCode(call, call.deviceCode().orElseThrow());
      } else {
        draft.problem(
            call.compiler().start(),
            call.compiler().end(),
            "this command calls nvcc; call ${CMAKE_HIP_COMPILER} with clang flags instead");
      }
    }
    for (Argument word : c.arguments()) {
      if (TOOLS.matcher(word.text()).matches()) {
        draft.problem(
            word.start(),
            word.end(),
            word.text() + " is an NVIDIA program; call its ROCm counterpart or remove the command");
      }
    }
  }

  /** Ports a call that writes a file with device code alone. */
  private void deviceCode(CompilerCall call, Argument code) {
    draft.replace(
        call.compiler().start(),
        call.compiler().end(),
        "${CMAKE_HIP_COMPILER} -x hip"
            + " \"--offload-arch=$<JOIN:${CMAKE_HIP_ARCHITECTURES},$<COMMA>>\"",
        FLAG);
    draft.replace(code.start(), code.end(), "--cuda-device-only", FLAG);
    draft.note(
        FLAG,
        code.start(),
        code.end(),
        code.text()
            + " becomes --cuda-device-only: the file is a bundle with code for all selected GPUs;"
            + " load it with hipModuleLoad or hipModuleLoadData");
    draft.flags(call.compiler().end(), code.start(), FlagText.Form.ARGUMENTS, false);
    draft.flags(code.end(), call.words().getLast().end(), FlagText.Form.ARGUMENTS, false);
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
