package dev.rocport.build.project;

import dev.rocport.buildsystem.cmake.CMakeCommand;
import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CudaAlways;
import dev.rocport.core.source.SourceFile;
import dev.rocport.io.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The HIP branch that a project's CMake files have beside one for CUDA. A port leaves such files
 * unchanged, so the project must be configured for HIP.
 *
 * @param exists whether the files enable HIP somewhere
 * @param argument the definition that selects the branch, such as {@code -DBACKEND=HIP}; empty if
 *     no option of the project is recognized
 * @param always the place in the main list file that asks for CUDA with any option, such as {@code
 *     CMakeLists.txt:9}
 */
record HipBranch(boolean exists, Optional<String> argument, Optional<String> always) {
  private static final Pattern SWITCH =
      Pattern.compile("(?i)(?:.*_)?(?:HIP|ROCM|AMD)(?:_BACKEND)?");
  private static final Pattern VALUE = Pattern.compile("(?i)HIP|ROCM|AMD");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)\\}|(\\w+)");

  /** Reads the CMake files below a folder; those nearest to it first. */
  static HipBranch of(Path root) throws IOException {
    List<CMakeCommand> commands = new ArrayList<>();
    List<Path> files =
        Folders.files(root).stream()
            .filter(HipBranch::isCMake)
            .sorted(Comparator.comparing(Path::getNameCount).thenComparing(Path::toString))
            .toList();
    Path main = root.resolve(CMakeRunner.LISTS);
    Optional<String> always = Optional.empty();
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      List<CMakeCommand> own =
          CMakeCommand.of(new String(bytes, StandardCharsets.ISO_8859_1)).orElse(List.of());
      commands.addAll(own);
      if (file.equals(main)) {
        SourceFile source = new SourceFile(CMakeRunner.LISTS, bytes);
        always = CudaAlways.of(own).map(c -> source.path() + ":" + source.line(c.start()));
      }
    }
    Set<String> options = new HashSet<>();
    commands.stream().filter(HipBranch::declaresOption).forEach(c -> options.add(argument(c, 0)));
    options.remove("USE_ROCM"); // CMakeRunner turns it on
    return new HipBranch(
        commands.stream().anyMatch(HipBranch::enablesHip),
        commands.stream().flatMap(c -> selection(c, options).stream()).findFirst(),
        always);
  }

  private static boolean isCMake(Path file) {
    String name = file.getFileName() + "";
    return name.equals(CMakeRunner.LISTS) || name.endsWith(".cmake");
  }

  private static String argument(CMakeCommand c, int index) {
    return index < c.arguments().size() ? c.arguments().get(index).text() : "";
  }

  /** Only such variables keep the value that the command line gives them. */
  private static boolean declaresOption(CMakeCommand c) {
    return switch (c.name()) {
      case "option", "cmake_dependent_option" -> true;
      case "set" -> c.arguments().stream().anyMatch(a -> a.is("CACHE"));
      default -> false;
    };
  }

  private static boolean enablesHip(CMakeCommand c) {
    return switch (c.name()) {
      case "project", "enable_language" -> c.arguments().stream().anyMatch(a -> a.is("HIP"));
      case "find_package" -> argument(c, 0).equalsIgnoreCase("hip");
      default -> false;
    };
  }

  /** Returns the definition of an option that makes a condition for HIP true. */
  private static Optional<String> selection(CMakeCommand c, Set<String> options) {
    if (!c.name().equals("if") && !c.name().equals("elseif")) {
      return Optional.empty();
    }
    List<Argument> all = c.arguments();
    for (int i = 0; i < all.size(); i++) {
      Matcher m = VARIABLE.matcher(all.get(i).text());
      String name = !m.matches() ? "" : m.group(1) != null ? m.group(1) : m.group(2);
      if (!options.contains(name) || (i > 0 && all.get(i - 1).is("NOT"))) {
        continue;
      }
      if (i + 2 < all.size() && all.get(i + 1).is("STREQUAL")) {
        if (VALUE.matcher(all.get(i + 2).text()).matches()) {
          return Optional.of("-D" + name + "=" + all.get(i + 2).text());
        }
      } else if (SWITCH.matcher(name).matches()) {
        return Optional.of("-D" + name + "=ON");
      }
    }
    return Optional.empty();
  }
}
