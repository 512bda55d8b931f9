package dev.rocport.build;

import dev.rocport.build.cmake.CMakeException;
import dev.rocport.build.cmake.CMakeProject;
import dev.rocport.build.cmake.CMakeTarget;
import dev.rocport.build.cmake.CMakeTarget.Kind;
import dev.rocport.build.cmake.TargetUsage;
import dev.rocport.nvcc.HostParser;
import dev.rocport.nvcc.ToolCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The plan for a project that its CMake files describe. */
final class CMakePlanner {
  private final BuildOptions options;
  private final CMakeProject project;
  private final CMakeUnits units;
  private final Map<String, List<Path>> objects = new HashMap<>();
  private final Map<Path, Unit> all = new TreeMap<>();
  private final Set<String> notes = new LinkedHashSet<>();

  private CMakePlanner(BuildOptions options, CMakeProject project) {
    this.options = options;
    this.project = project;
    this.units = new CMakeUnits(options, project, notes);
  }

  static BuildPlan plan(BuildOptions options) throws PlanException, IOException {
    CMakeProject project;
    try {
      project = CMakeProject.read(options.root(), options.out().resolve("cmake"));
    } catch (CMakeException e) {
      throw new PlanException(String.valueOf(e.getMessage()));
    }
    return new CMakePlanner(options, project).plan();
  }

  private BuildPlan plan() throws PlanException {
    notes.addAll(project.notes());
    List<CMakeTarget> targets = project.targets().values().stream().distinct().toList();
    for (CMakeTarget t : targets) {
      List<Path> made = new ArrayList<>();
      for (Unit unit : units.of(t)) {
        made.add(unit.object());
        all.put(unit.object(), unit);
      }
      objects.put(t.name(), made);
    }
    List<Artifact> artifacts = new ArrayList<>();
    Set<String> placed = new LinkedHashSet<>();
    for (CMakeTarget t : targets) {
      place(t, placed, artifacts);
    }
    List<Unit> sorted =
        all.values().stream().sorted(java.util.Comparator.comparing(Unit::path)).toList();
    return new BuildPlan("cmake", sorted, artifacts, false, List.of(), List.copyOf(notes));
  }

  /** Puts a target behind all that it is linked with. */
  private void place(CMakeTarget t, Set<String> placed, List<Artifact> artifacts) {
    if (!placed.add(t.name())) {
      return;
    }
    TargetUsage usage = TargetUsage.of(project, t);
    usage.used().forEach(u -> place(u, placed, artifacts));
    if (t.kind() == Kind.OBJECT || t.kind() == Kind.INTERFACE) {
      return;
    }
    Set<Path> inputs = new LinkedHashSet<>(objects.getOrDefault(t.name(), List.of()));
    t.objectsOf().forEach(n -> inputs.addAll(objects.getOrDefault(n, List.of())));
    List<String> uses = new ArrayList<>();
    for (CMakeTarget u : usage.used()) {
      switch (u.kind()) {
        case OBJECT -> inputs.addAll(objects.getOrDefault(u.name(), List.of()));
        case STATIC, SHARED -> uses.add(u.name());
        default -> {}
      }
    }
    String output = t.property("OUTPUT_NAME").isEmpty() ? t.name() : t.property("OUTPUT_NAME");
    Path folder = options.out().resolve("bin").resolve(options.root().relativize(t.folder()));
    artifacts.add(
        switch (t.kind()) {
          case STATIC ->
              new Artifact(
                  t.name(),
                  Artifact.Kind.STATIC,
                  folder.resolve("lib" + output + ".a"),
                  List.copyOf(inputs),
                  uses,
                  linkFlags(t, usage));
          case SHARED ->
              new Artifact(
                  t.name(),
                  Artifact.Kind.SHARED,
                  folder.resolve("lib" + output + ".so"),
                  List.copyOf(inputs),
                  uses,
                  linkFlags(t, usage));
          default ->
              new Artifact(
                  t.name(),
                  Artifact.Kind.EXECUTABLE,
                  folder.resolve(output),
                  List.copyOf(inputs),
                  uses,
                  linkFlags(t, usage));
        });
  }

  private List<String> linkFlags(CMakeTarget t, TargetUsage usage) {
    List<String> words = new ArrayList<>();
    String configuration = t.property("CONFIGURATION");
    for (String library : TargetUsage.evaluate(usage.libraries(), "CXX", configuration)) {
      words.add(library(library));
    }
    words.addAll(TargetUsage.evaluate(usage.linkOptions(), "CXX", configuration));
    String linker = t.kind() == Kind.SHARED ? "FLAGS_SHARED_LINKER" : "FLAGS_EXE_LINKER";
    words.addAll(CMakeUnits.words(t.property(linker)));
    // NVIDIA's libraries become AMD's on the way, as on a command line.
    ToolCommand command = HostParser.parse(words, t.folder(), false);
    notes.addAll(command.notes());
    List<String> flags = new ArrayList<>(command.link());
    command.compile().stream().filter(f -> f.startsWith("-f")).forEach(flags::add);
    return flags.stream().distinct().toList();
  }

  private static String library(String name) {
    if (name.startsWith("-") || name.contains("/")) {
      return name;
    }
    if (name.startsWith("CUDA::")
        || name.startsWith("roc::")
        || name.startsWith("hip::")
        || name.startsWith("nvshmem::")) {
      String plain = name.substring(name.indexOf("::") + 2);
      return switch (plain) {
        case "device", "host", "hipcub", "rocthrust", "rocprim", "cuda_driver", "toolkit" ->
            "-lcudart";
        default -> "-l" + plain;
      };
    }
    return switch (name) {
      case "Threads::Threads" -> "-pthread";
      case "OpenMP::OpenMP_CXX", "OpenMP::OpenMP_C" -> "-fopenmp";
      default -> "-l" + name;
    };
  }

  static boolean isProject(Path root) {
    return Files.isRegularFile(root.resolve("CMakeLists.txt"));
  }
}
