package dev.rocport.build;

import dev.rocport.build.cmake.CMakeProject;
import dev.rocport.build.cmake.CMakeTarget;
import dev.rocport.build.cmake.TargetUsage;
import dev.rocport.nvcc.HostParser;
import dev.rocport.nvcc.NvccParser;
import dev.rocport.nvcc.ToolCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The translation units of a CMake target. */
final class CMakeUnits {
  private static final Pattern STANDARD_FEATURE = Pattern.compile("(?:cxx|cuda|c)_std_(\\d+)");

  private final BuildOptions options;
  private final CMakeProject project;
  private final Set<String> notes;

  CMakeUnits(BuildOptions options, CMakeProject project, Set<String> notes) {
    this.options = options;
    this.project = project;
    this.notes = notes;
  }

  List<Unit> of(CMakeTarget target) throws PlanException {
    TargetUsage usage = TargetUsage.of(project, target);
    List<Unit> units = new ArrayList<>();
    for (Path source : target.sources()) {
      Optional<Language> language = language(source);
      if (language.isPresent() && target.kind() != CMakeTarget.Kind.INTERFACE) {
        units.add(unit(target, usage, source, language.get()));
      }
    }
    return units;
  }

  private Optional<Language> language(Path source) {
    return switch (project.sourceLanguages().getOrDefault(source, "")) {
      case "CUDA", "HIP" -> Optional.of(Language.HIP);
      case "CXX" -> Optional.of(Language.CXX);
      case "C" -> Optional.of(Language.C);
      default -> Language.ofFile(source.toString());
    };
  }

  private Unit unit(CMakeTarget target, TargetUsage usage, Path source, Language language)
      throws PlanException {
    String lang =
        switch (language) {
          case HIP -> "CUDA";
          case CXX -> "CXX";
          case C -> "C";
        };
    String configuration = target.property("CONFIGURATION");
    ToolCommand command = parse(flags(target, usage, lang, configuration), target, language);
    if (!command.problems().isEmpty()) {
      throw new PlanException(
          "%s: target %s: %s"
              .formatted(
                  relative(target.folder().resolve("CMakeLists.txt")),
                  target.name(),
                  String.join("; ", command.problems())));
    }
    command.notes().forEach(n -> notes.add("target " + target.name() + ": " + n));
    List<String> arguments = new ArrayList<>();
    options.defines().forEach(d -> arguments.add("-D" + d));
    arguments.addAll(command.compile());
    if (!command.optimised()) {
      arguments.add(language == Language.HIP ? "-O3" : "-O2");
    }
    boolean rdc = command.relocatable() || isOn(target, "CUDA_SEPARABLE_COMPILATION");
    return new Unit(
        relative(source),
        relative(source),
        options.root(),
        language,
        arguments,
        rdc && language == Language.HIP,
        options.out().resolve("obj").resolve(target.name()).resolve(relative(source) + ".o"));
  }

  private static ToolCommand parse(List<String> flags, CMakeTarget target, Language language) {
    return language == Language.HIP
        ? NvccParser.parse(flags, target.folder())
        : HostParser.parse(flags, target.folder(), false);
  }

  private List<String> flags(
      CMakeTarget target, TargetUsage usage, String lang, String configuration) {
    List<String> flags = new ArrayList<>();
    boolean cuda = lang.equals("CUDA");
    flags.addAll(words(target.property("FLAGS_" + lang)));
    flags.addAll(words(target.property("CONFIG_FLAGS_" + lang)));
    if (cuda) {
      flags.addAll(words(target.property("FLAGS_NVCC").replace(';', ' ')));
    }
    flags.addAll(configurationFlags(configuration));
    TargetUsage.evaluate(usage.definitions(), lang, configuration)
        .forEach(d -> flags.add(d.startsWith("-D") ? d : "-D" + d));
    for (String folder : TargetUsage.evaluate(usage.includes(), lang, configuration)) {
      flags.add("-I" + relative(Path.of(folder)));
    }
    if (isOn(target, "INCLUDE_CURRENT_DIR")) {
      flags.add("-I" + relative(target.folder()));
    }
    for (Path include : options.includes()) {
      flags.add("-I" + include.toAbsolutePath().normalize());
    }
    standard(target, usage, lang, configuration).ifPresent(flags::add);
    if (target.kind() == CMakeTarget.Kind.SHARED || isOn(target, "POSITION_INDEPENDENT_CODE")) {
      flags.addAll(cuda ? List.of("-Xcompiler", "-fPIC") : List.of("-fPIC"));
    }
    flags.addAll(TargetUsage.evaluate(usage.options(), lang, configuration));
    flags.addAll(words(target.property("COMPILE_FLAGS")));
    boolean openmp = usage.libraries().stream().anyMatch(l -> l.startsWith("OpenMP::"));
    if (openmp) {
      flags.addAll(cuda ? List.of("-Xcompiler", "-fopenmp") : List.of("-fopenmp"));
    }
    if (Files.isDirectory(options.root().resolve("rocport"))) {
      // The headers that the port brought along; behind all other folders.
      flags.addAll(cuda ? List.of("-Xcompiler", "-idirafter,.") : List.of("-idirafter", "."));
    }
    return flags;
  }

  private static List<String> configurationFlags(String configuration) {
    return switch (configuration.toUpperCase(Locale.ROOT)) {
      case "DEBUG" -> List.of("-g");
      case "RELEASE" -> List.of("-O3", "-DNDEBUG");
      case "RELWITHDEBINFO" -> List.of("-O2", "-g", "-DNDEBUG");
      default -> List.of();
    };
  }

  private Optional<String> standard(
      CMakeTarget target, TargetUsage usage, String lang, String configuration) {
    String own = target.property(lang + "_STANDARD");
    String other = lang.equals("CUDA") ? target.property("CXX_STANDARD") : "";
    int chosen = number(own.isEmpty() ? other : own);
    for (String f : TargetUsage.evaluate(usage.features(), lang, configuration)) {
      Matcher m = STANDARD_FEATURE.matcher(f);
      boolean forC = f.startsWith("c_std");
      if (m.matches() && forC == lang.equals("C")) {
        chosen = Math.max(chosen, number(m.group(1)));
      }
    }
    if (chosen > 0) {
      return Optional.of("-std=" + (lang.equals("C") ? "c" : "c++") + "%02d".formatted(chosen));
    }
    return lang.equals("C") ? Optional.empty() : options.standard().map(s -> "-std=" + s);
  }

  private static int number(String text) {
    return text.matches("\\d{1,2}") ? Integer.parseInt(text) : 0;
  }

  private static boolean isOn(CMakeTarget target, String property) {
    return switch (target.property(property).toUpperCase(Locale.ROOT)) {
      case "1", "ON", "TRUE", "YES" -> true;
      default -> false;
    };
  }

  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (String w : text.strip().split("\\s+")) {
      if (!w.isEmpty()) {
        words.add(w);
      }
    }
    return words;
  }

  private String relative(Path file) {
    Path whole = file.isAbsolute() ? file.normalize() : options.root().resolve(file).normalize();
    if (!whole.startsWith(options.root())) {
      return whole.toString();
    }
    String inside = options.root().relativize(whole).toString();
    return inside.isEmpty() ? "." : inside;
  }
}
