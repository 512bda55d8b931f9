package dev.rocport.build.cuda;

import dev.rocport.build.project.CudaRecipe;
import dev.rocport.build.project.Mirror;
import dev.rocport.build.project.ProjectSystem;
import dev.rocport.build.project.ProjectSystems;
import dev.rocport.build.project.ProjectTools;
import dev.rocport.cudastub.CudaCommand;
import dev.rocport.cudastub.CudaStandIn;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.Extras;
import dev.rocport.toolchain.provision.Mpi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Configures and builds two trees for CUDA with a stand-in for the toolkit, and compares their
 * compiler commands. Both are copied to the same location, one after the other, so that paths are
 * equal.
 */
public final class CudaBuild {
  private static final Duration LIMIT = Duration.ofHours(1);
  private static final Pattern GENERATED =
      Pattern.compile(".*\\.(h|hh|hpp|hxx|cuh|inc|pc|c|cc|cpp|cu|cmake)");
  private static final Pattern INNER =
      Pattern.compile(
          "(.*/)?(CMakeFiles|\\.deps|autom4te\\.cache|\\.libs)/.*|(.*/)?CTestTestfile\\.cmake");
  private static final Pattern HEADER = Pattern.compile(".*\\.(h|hh|hpp|hxx|cuh)");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/");
  private static final int LINES = 40;
  private static final Pattern USES_MPI =
      Pattern.compile(
          "(?i)mpi(cc|run|cxx)\\b|\\b(ac?x_)?\\w*_mpi\\b|find_package\\s*\\(\\s*MPI\\b");
  private static final Pattern BUILD_FILE =
      Pattern.compile(
          "(?i)configure\\.(ac|in)|.*\\.(m4|cmake|mk)|CMakeLists\\.txt|.*makefile(\\.\\w+)?|meson\\.build");

  private final Toolchain toolchain;
  private final Consumer<String> progress;
  private final int jobs;
  private final List<String> arguments;

  /**
   * @param progress receives a line for each step
   * @param jobs number of parallel commands
   * @param arguments arguments for the project's configure
   */
  public CudaBuild(
      Toolchain toolchain, Consumer<String> progress, int jobs, List<String> arguments) {
    this.toolchain = toolchain;
    this.progress = progress;
    this.jobs = jobs;
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Result of the comparison for one build system.
   *
   * @param system name of the build system
   * @param same number of equal commands
   * @param onlyOld commands of the old tree only
   * @param onlyNew commands of the new tree only
   * @param files generated files that differ, with the difference
   * @param problem why the comparison failed; empty if it succeeded
   */
  public record Compared(
      String system,
      int same,
      List<CudaCommand> onlyOld,
      List<CudaCommand> onlyNew,
      List<String> files,
      String problem) {
    public Compared {
      onlyOld = List.copyOf(onlyOld);
      onlyNew = List.copyOf(onlyNew);
      files = List.copyOf(files);
    }

    /** Returns true if the builds are proven to be equal. */
    public boolean holds() {
      return problem.isEmpty() && onlyOld.isEmpty() && onlyNew.isEmpty() && files.isEmpty();
    }
  }

  /** Recorded commands and generated files of one tree. */
  private record Recorded(
      List<CudaCommand> commands, SortedMap<String, String> files, String problem) {}

  /**
   * Returns one result for each known build system of the old tree.
   *
   * @throws ToolchainException if a required build tool is missing and cannot be installed
   */
  public List<Compared> compare(Path before, Path after)
      throws IOException, InterruptedException, ToolchainException {
    List<Compared> all = new ArrayList<>();
    try (TemporaryFolder work = TemporaryFolder.create("rocport-cuda")) {
      CudaStandIn cuda = CudaStandIn.create(work.path().resolve("cuda"), toolchain);
      for (ProjectSystem system : ProjectSystems.forCuda()) {
        CudaRecipe recipe = system.cuda().orElseThrow();
        if (recipe.serves(before)) {
          Recorded old = record(system, recipe, cuda, work.path(), before, "the old tree");
          Recorded now = record(system, recipe, cuda, work.path(), after, "the new tree");
          all.add(compared(system.name(), old, now, work.path()));
        }
      }
    }
    return all;
  }

  private Compared compared(String system, Recorded old, Recorded now, Path work)
      throws IOException, InterruptedException {
    List<CudaCommand> onlyOld = new ArrayList<>(old.commands());
    List<CudaCommand> onlyNew = new ArrayList<>();
    for (CudaCommand c : now.commands()) {
      if (!onlyOld.remove(c)) {
        onlyNew.add(c);
      }
    }
    int same = old.commands().size() - onlyOld.size();
    String problem = old.problem().isEmpty() ? now.problem() : old.problem();
    if (problem.isEmpty() && old.commands().isEmpty()) {
      problem = "no compiler command was recorded";
    }
    return new Compared(
        system,
        same,
        shorter(onlyOld, work),
        shorter(onlyNew, work),
        differences(old.files(), now.files(), work),
        problem.replace(work.toString(), ""));
  }

  /** Returns generated files that differ, each with the first different line. */
  private List<String> differences(Map<String, String> old, Map<String, String> now, Path work)
      throws IOException, InterruptedException {
    SortedSet<String> names = new TreeSet<>(old.keySet());
    names.addAll(now.keySet());
    List<String> found = new ArrayList<>();
    for (String name : names) {
      String before = old.getOrDefault(name, "");
      String after = now.getOrDefault(name, "");
      if (!before.equals(after) && HEADER.matcher(name).matches()) {
        before = preprocessed(before, work);
        after = preprocessed(after, work);
      }
      List<String> was = before.lines().toList();
      List<String> is = after.lines().toList();
      int at = 0;
      while (at < Math.min(was.size(), is.size()) && was.get(at).equals(is.get(at))) {
        at++;
      }
      if (!old.containsKey(name) || !now.containsKey(name)) {
        found.add(name + ": only in the " + (old.containsKey(name) ? "old" : "new") + " tree");
      } else if (at < Math.max(was.size(), is.size())) {
        String line = at < was.size() ? was.get(at) : "";
        found.add("%s: '%s' became '%s'".formatted(name, line, at < is.size() ? is.get(at) : ""));
      }
    }
    return found;
  }

  /** Returns a header preprocessed without macros; the original text if preprocessing fails. */
  private String preprocessed(String text, Path work) throws IOException, InterruptedException {
    Path file = Files.writeString(work.resolve("header.h"), text, StandardCharsets.ISO_8859_1);
    List<String> command =
        List.of(toolchain.clang().toString(), "-E", "-dD", "-P", "-w", "-x", "c", file.toString());
    Exec.Outcome ran = Exec.run(command, work, Map.of(), LIMIT);
    return ran.ok() ? ran.stdout() : text;
  }

  private static List<CudaCommand> shorter(List<CudaCommand> commands, Path work) {
    return commands.stream().map(c -> c.without(work + "/")).toList();
  }

  private Recorded record(
      ProjectSystem system, CudaRecipe recipe, CudaStandIn cuda, Path work, Path root, String what)
      throws IOException, InterruptedException, ToolchainException {
    if (!recipe.serves(root)) {
      return new Recorded(List.of(), new TreeMap<>(), what + " has no " + system.name() + " build");
    }
    Mirror mirror = new Mirror(root.toRealPath(), work.resolve("tree"), cuda.root());
    mirror.create(work);
    cuda.configuring();
    Map<String, String> environment = environment(system, cuda, mirror.folder());
    CudaRecipe.Site site = new CudaRecipe.Site(cuda, mirror, jobs, arguments);
    progress.accept(system.name() + ": configuring " + what);
    String problem = run(recipe.configure(site), mirror, environment, what);
    if (problem.isEmpty()) {
      progress.accept(system.name() + ": building " + what + " with the stub toolkit");
      cuda.building();
      problem = run(recipe.build(site), mirror, environment, what);
    }
    return new Recorded(cuda.commands(), generated(mirror), problem);
  }

  private static String run(
      List<List<String>> commands, Mirror mirror, Map<String, String> environment, String what)
      throws IOException, InterruptedException {
    for (List<String> command : commands) {
      Exec.Outcome ran =
          Exec.run(ProjectTools.named(command, environment), mirror.folder(), environment, LIMIT);
      if (!ran.ok()) {
        String output = (ran.stdout() + ran.stderr()).strip();
        List<String> lines = output.lines().toList();
        String tail =
            String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
        return "%s: %s failed with exit code %d: %s"
            .formatted(what, command.getFirst(), ran.code(), tail);
      }
    }
    return "";
  }

  private Map<String, String> environment(ProjectSystem system, CudaStandIn cuda, Path tree)
      throws IOException, ToolchainException {
    ToolchainRequest request = ToolchainRequest.of(new HashMap<>(System.getenv()));
    Map<String, String> environment = new TreeMap<>();
    environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
    environment.put("LD_LIBRARY_PATH", System.getenv().getOrDefault("LD_LIBRARY_PATH", ""));
    for (String none :
        List.of(
            "CC",
            "CXX",
            "CPP",
            "CXXCPP",
            "LD",
            "MAKEFLAGS",
            "USE_ROCM",
            "USE_HIP",
            "ROCM_PATH",
            "ROCM_HOME",
            "HIP_PATH")) {
      environment.put(none, "");
    }
    environment.put("MAKELEVEL", "0");
    Optional<Extra> extra = system.extra();
    if (extra.isPresent()) {
      Extras.require(extra.get(), request, progress).into(environment);
    }
    if (usesMpi(tree)) {
      Mpi mpi = Mpi.require(request, progress);
      mpi.into(environment);
      environment.put("MPICC", mpi.bin().resolve("mpicc").toString());
      environment.put("MPICXX", mpi.bin().resolve("mpicxx").toString());
      environment.put("OMPI_CC", "gcc");
      environment.put("OMPI_CXX", "g++");
    }
    environment.putAll(cuda.environment(environment.getOrDefault("PATH", "")));
    return environment;
  }

  private static boolean usesMpi(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (BUILD_FILE.matcher(file.getFileName() + "").matches()
            && USES_MPI.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).find()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns generated files that compilers may read, by path. */
  private static SortedMap<String, String> generated(Mirror mirror) throws IOException {
    SortedMap<String, String> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(mirror.folder())) {
      Map<Boolean, List<Path>> files =
          all.filter(Files::isRegularFile)
              .filter(f -> GENERATED.matcher(f.getFileName() + "").matches())
              .sorted()
              .collect(Collectors.partitioningBy(f -> Files.exists(mirror.original(f))));
      for (Path file : files.getOrDefault(false, List.of())) {
        String name = mirror.folder().relativize(file).toString();
        if (!INNER.matcher(name).matches() && !isCopy(file, files.getOrDefault(true, List.of()))) {
          String text = Files.readString(file, StandardCharsets.ISO_8859_1);
          found.put(name, COMMENT.matcher(text).replaceAll("").replaceAll("\\s*\n\\s*", "\n"));
        }
      }
    }
    return found;
  }

  /**
   * Returns whether a generated file is a copy of a file of the tree, which is compared separately.
   */
  private static boolean isCopy(Path file, List<Path> own) throws IOException {
    for (Path o : own) {
      if (o.endsWith(file.getFileName()) && Files.mismatch(o, file) < 0) {
        return true;
      }
    }
    return false;
  }
}
