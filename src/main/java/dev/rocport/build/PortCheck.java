package dev.rocport.build;

import dev.rocport.build.check.BuildMacros;
import dev.rocport.build.check.CMakeDefinitions;
import dev.rocport.build.check.CheckedUnit;
import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.build.check.Comparison;
import dev.rocport.build.check.Configurations;
import dev.rocport.build.check.CudaHeaders;
import dev.rocport.build.check.GeneratedHeaders;
import dev.rocport.build.check.NamedSources;
import dev.rocport.build.check.Nvcc;
import dev.rocport.build.check.RunTimeSources;
import dev.rocport.build.check.StatedMacros;
import dev.rocport.build.check.Surroundings;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.project.Mirror;
import dev.rocport.build.run.BuildListener;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.unit.Language;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.ParallelTasks;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Checks the units of a ported tree for errors, as its build compiles them, and finds the errors
 * that no finding of the port explains.
 *
 * <p>Flags of files that no build compiles come from the files of the tree; of these, only units
 * that read a changed file are checked.
 */
public final class PortCheck {
  private static final String PLAIN = "plain";
  private static final String HIP_ONLY =
      "this unit includes HIP headers that compile only as HIP, and the check does not know whether"
          + " the build compiles the unit with hipcc";

  /** The place in the ported file, which messages end with. */
  private static final String PORTED = " \\[ported: .*";

  private final Path root;
  private final Surroundings around;
  private final Optional<Path> original;
  private final int jobs;
  private final Arguments arguments;
  private final Toolchain toolchain;
  private final RuleCatalog catalog;
  private final BuildListener listener;
  private final CudaHeaders ofCuda;
  private final Optional<Nvcc> nvcc;

  /**
   * @param around the ported tree, and what it needs from outside
   * @param original the tree that was ported, to compile host code of it; empty if it is not there
   * @param nvcc to compile originals of units with errors that nothing explains
   * @param jobs number of parallel compilers
   * @param arguments what to pass to the build of the tree
   */
  public PortCheck(
      Surroundings around,
      Optional<Path> original,
      Optional<Nvcc> nvcc,
      int jobs,
      Arguments arguments,
      Toolchain toolchain,
      RuleCatalog catalog,
      BuildListener listener) {
    this.root = around.root();
    this.around = around;
    this.original = original;
    this.jobs = jobs;
    this.arguments = arguments;
    this.toolchain = toolchain;
    this.catalog = catalog;
    this.listener = listener;
    this.nvcc = nvcc;
    this.ofCuda = new CudaHeaders(catalog);
  }

  /**
   * Arguments for the build of a tree.
   *
   * @param make targets and variables for make
   * @param configure arguments for configure, cmake, meson or bazel
   */
  public record Arguments(List<String> make, List<String> configure) {
    public static final Arguments NONE = new Arguments(List.of(), List.of());

    public Arguments {
      make = List.copyOf(make);
      configure = List.copyOf(configure);
    }

    boolean isEmpty() {
      return make.isEmpty() && configure.isEmpty();
    }
  }

  /**
   * What a check found.
   *
   * @param units in order of their path
   * @param build findings about build files, whose units may be missing here
   */
  public record Checked(List<CheckedUnit> units, List<Finding> build) {
    public Checked {
      units = List.copyOf(units);
      build = List.copyOf(build);
    }
  }

  /**
   * Returns what the compiler says.
   *
   * @param target the GPU target of the device side
   * @param out folder for the copy of the tree that is built
   * @param ported the results of the port
   * @param name the path in the ported tree of a file of the original
   * @throws PlanException if the build files cannot be interpreted, or if the tree has no build for
   *     the arguments
   * @throws IOException if the tree cannot be read or the compiler cannot be started
   */
  public Checked run(
      String target, Path out, Collection<FileResult> ported, UnaryOperator<String> name)
      throws PlanException, IOException, InterruptedException, ToolchainException {
    Set<String> sources = new HashSet<>();
    Set<String> changed = new HashSet<>();
    for (FileResult file : ported) {
      sources.add(name.apply(file.path()));
      if (file.editCount() > 0) {
        changed.add(name.apply(file.path()));
      }
    }
    BiPredicate<String, Set<String>> reads =
        (unit, files) ->
            sources.contains(unit)
                && (changed.contains(unit) || files.stream().anyMatch(changed::contains));
    if (!arguments.isEmpty() && !Builder.runsBuildOf(root)) {
      throw new PlanException(
          "--make-arg and --configure-arg are for the build of the tree, and it has none in "
              + original.orElse(root));
    }
    BuildMacros defined = new BuildMacros(root, ported, name);
    StatedMacros stated =
        new StatedMacros(
            root, CMakeDefinitions.of(root, ported, name, target, arguments.configure()));
    Map<String, Set<String>> headers = new HashMap<>();
    BuildOptions asBuilt =
        BuildOptions.check(root, out, target, jobs, false)
            .withArguments(arguments.make(), arguments.configure());
    BuildResult built = build(asBuilt, noting(headers, reads));
    List<Path> generated = GeneratedHeaders.folders(root, Mirror.copy(out));
    List<Path> includes = new ArrayList<>(around.includes());
    includes.addAll(generated);
    BuildOptions guessed =
        BuildOptions.check(root, out, target, jobs, true)
            .withIncludes(includes)
            .withStandard(defined.standard());
    Comparison comparison = new Comparison(catalog, ported, toolchain.include(), original, around);
    NamedSources named =
        original.isPresent()
            ? new NamedSources(original.get(), ported, UnaryOperator.identity(), name)
            : new NamedSources(root, ported, name, name);
    Facts facts = new Facts(defined, stated, named, comparison);
    List<Judged> judged = new ArrayList<>();
    List<UnitResult> own = built.units().stream().filter(u -> sources.contains(u.path())).toList();
    Map<String, Set<String>> before = errorsOfOriginals(own, guessed, generated);
    if (built.source().equals(PLAIN)) {
      List<UnitResult> device = withoutHost(own, named);
      List<Judged> plain = plain(device, guessed, headers, before, facts);
      judged.addAll(named(withoutRunTime(plain, ported, name), named));
    } else {
      for (UnitResult unit : own) {
        judged.add(new Judged(unit, verdict(unit, before, comparison, macro -> false)));
      }
      Set<String> compiled = own.stream().map(UnitResult::path).collect(Collectors.toSet());
      BiPredicate<String, Set<String>> others =
          (unit, files) -> !compiled.contains(unit) && isHip(unit) && reads.test(unit, files);
      List<UnitResult> more = withoutHost(build(guessed, noting(headers, others)).units(), named);
      Map<String, Set<String>> alsoBefore = errorsOfOriginals(more, guessed, generated);
      List<Judged> plain = plain(more, guessed, headers, alsoBefore, facts);
      judged.addAll(named(withoutRunTime(plain, ported, name), named));
    }
    // If a build compiles a source with several commands, the worst verdict counts.
    SequencedMap<String, CheckedUnit> verdicts = new LinkedHashMap<>();
    withNvcc(judged, out)
        .forEach(c -> verdicts.merge(c.path(), c.shownBy(around::shown), CheckedUnit::and));
    List<CheckedUnit> sorted = new ArrayList<>(verdicts.values());
    sorted.sort(Comparator.comparing(CheckedUnit::path));
    Set<String> told = new HashSet<>();
    return new Checked(sorted.stream().map(u -> u.once(told)).toList(), built.findings());
  }

  /** What the files of a tree say about its units, and what the findings explain. */
  private record Facts(
      BuildMacros defined, StatedMacros stated, NamedSources named, Comparison comparison) {}

  /** Returns units without errors of a side that their makefile does not compile. */
  private static List<UnitResult> withoutHost(List<UnitResult> units, NamedSources named)
      throws IOException {
    List<UnitResult> all = new ArrayList<>();
    for (UnitResult unit : units) {
      all.add(named.withoutHost(unit));
    }
    return all;
  }

  /** Returns the verdicts, where the sources that no file of the tree names are not checked. */
  private static List<Judged> named(List<Judged> units, NamedSources named) throws IOException {
    List<Judged> all = new ArrayList<>();
    for (Judged j : units) {
      all.add(new Judged(j.unit(), named.of(j.verdict())));
    }
    return all;
  }

  /** A unit and the verdict on it. */
  record Judged(UnitResult unit, CheckedUnit verdict) {}

  /** Returns the verdicts, without errors in lines of the original that nvcc rejects. */
  private List<CheckedUnit> withNvcc(List<Judged> judged, Path out)
      throws IOException, ToolchainException {
    if (nvcc.isEmpty()) {
      return judged.stream().map(Judged::verdict).toList();
    }
    List<Callable<CheckedUnit>> tasks = new ArrayList<>();
    for (Judged j : judged) {
      Path object = out.resolveSibling("nvcc-" + tasks.size() + ".o");
      boolean silent = j.verdict().verdict() == Verdict.SILENT;
      tasks.add(
          silent
              ? () -> j.verdict().without(nvcc.get().errors(j.unit(), object), nvcc.get().name())
              : j::verdict);
    }
    return ParallelTasks.run(tasks, jobs);
  }

  /** Also notes the headers that each unit reads. */
  private static BiPredicate<String, Set<String>> noting(
      Map<String, Set<String>> headers, BiPredicate<String, Set<String>> wanted) {
    return (unit, files) -> {
      headers.put(unit, files);
      return wanted.test(unit, files);
    };
  }

  /** Returns the verdicts on units whose flags come from the files of the tree. */
  private List<Judged> plain(
      List<UnitResult> units,
      BuildOptions options,
      Map<String, Set<String>> headers,
      Map<String, Set<String>> before,
      Facts facts)
      throws PlanException, IOException, InterruptedException, ToolchainException {
    BuildMacros defined = facts.defined();
    Set<String> ofHip =
        catalog.names().stream()
            .filter(n -> n.kind() == ApiName.Kind.MACRO)
            .map(ApiName::hip)
            .collect(Collectors.toSet());
    Configurations configurations =
        new Configurations(
            root, m -> defined.isOfProject(m) && !ofHip.contains(m), defined::definesItself);
    MacroRounds.Compilation again =
        (defines, paths) -> {
          listener.step(0, 0, "again, with macros of the project: " + String.join(", ", defines));
          List<UnitResult> some =
              build(options.withDefines(defines), (unit, files) -> paths.contains(unit)).units();
          return plain(withoutHost(some, facts.named()), before, facts);
        };
    return new MacroRounds(configurations, facts.stated(), headers, again)
        .of(plain(units, before, facts));
  }

  /** Returns the verdicts on units as they were compiled. */
  private List<Judged> plain(List<UnitResult> units, Map<String, Set<String>> before, Facts facts)
      throws IOException {
    List<Judged> all = new ArrayList<>();
    for (UnitResult unit : units) {
      all.add(new Judged(unit, plain(unit, before, facts.defined(), facts.comparison())));
    }
    return all;
  }

  /** Returns the verdicts on units, without errors of those that programs compile when they run. */
  private List<Judged> withoutRunTime(
      List<Judged> units, Collection<FileResult> ported, UnaryOperator<String> name)
      throws IOException {
    if (units.stream().noneMatch(u -> RunTimeSources.mayHave(u.verdict()))) {
      return units;
    }
    RunTimeSources sources =
        original.isPresent()
            ? RunTimeSources.of(original.get(), ported, UnaryOperator.identity(), name)
            : RunTimeSources.of(root, ported, name, name);
    List<Judged> all = new ArrayList<>();
    for (Judged j : units) {
      all.add(new Judged(j.unit(), sources.of(j.verdict())));
    }
    return all;
  }

  /**
   * Returns the errors of units before the port, by unit, with headers that only have the names of
   * those of CUDA: those that do not depend on CUDA.
   *
   * @param generated folders of headers that the build generates
   */
  private Map<String, Set<String>> errorsOfOriginals(
      List<UnitResult> units, BuildOptions options, List<Path> generated)
      throws PlanException, IOException, InterruptedException, ToolchainException {
    Set<String> failed =
        units.stream()
            .filter(u -> !u.ok() && u.findings().stream().anyMatch(f -> mayBeOfOriginal(u, f)))
            .map(UnitResult::path)
            .collect(Collectors.toSet());
    if (failed.isEmpty() || original.isEmpty()) {
      return Map.of();
    }
    Path out = options.out().resolveSibling(options.out().getFileName() + "-original");
    Path cuda = out.resolveSibling("cuda");
    ofCuda.write(cuda);
    List<Path> includes = new ArrayList<>(around.before());
    includes.addAll(generated);
    includes.add(cuda);
    BuildOptions same =
        BuildOptions.check(original.get(), out, options.targets().getFirst(), jobs, true)
            .withIncludes(includes)
            .withStandard(options.standard());
    listener.step(0, 0, "the originals of units with errors, to compare");
    Map<String, Set<String>> errors = new HashMap<>();
    for (UnitResult unit : build(same, (path, files) -> failed.contains(path)).units()) {
      errors.put(
          unit.path(),
          unit.findings().stream()
              .filter(f -> mayBeOfOriginal(unit, f))
              .map(PortCheck::place)
              .collect(Collectors.toSet()));
    }
    return errors;
  }

  /** Returns whether an error that the original has too does not depend on CUDA. */
  private boolean mayBeOfOriginal(UnitResult unit, Finding error) {
    boolean host = unit.language() != Language.HIP;
    return !ofCuda.mayDeclare(error) && (host || CudaHeaders.isOfLanguage(error));
  }

  /** Returns the line of the original and the message of an error. */
  static String place(Finding error) {
    return "%s:%d: %s"
        .formatted(error.path(), error.line(), error.message().replaceFirst(PORTED, ""));
  }

  private static boolean isHip(String unit) {
    return Language.ofFile(unit).filter(l -> l == Language.HIP).isPresent();
  }

  /** Returns the verdict on a unit whose flags come from the files of the tree. */
  private CheckedUnit plain(
      UnitResult unit, Map<String, Set<String>> before, BuildMacros defined, Comparison comparison)
      throws IOException {
    return isHipOnly(unit)
        ? new CheckedUnit(unit.path(), Verdict.UNCHECKED, List.of(), HIP_ONLY)
        : verdict(unit, before, comparison, defined::defines);
  }

  /**
   * Returns the verdict on a unit, whose errors are not those of the port if the original has them.
   *
   * @param before the errors of the originals
   * @param defined whether the build defines a macro that the unit was not compiled with
   */
  private static CheckedUnit verdict(
      UnitResult unit,
      Map<String, Set<String>> before,
      Comparison comparison,
      Predicate<String> defined)
      throws IOException {
    Set<String> known = before.getOrDefault(unit.path(), Set.of());
    List<Finding> others = unit.findings().stream().filter(f -> !known.contains(place(f))).toList();
    if (unit.findings().isEmpty() || !others.isEmpty()) {
      boolean host = unit.language() != Language.HIP;
      return comparison.of(host ? unit : unit.with(others), defined);
    }
    String reason =
        unit.findings().stream()
            .map(f -> f.message().replaceFirst(PORTED, ""))
            .filter(m -> m.contains("file not found"))
            .findFirst()
            .orElseGet(() -> "%s: %s".formatted(StatedMacros.SAME_ERRORS, first(unit)));
    return new CheckedUnit(unit.path(), Verdict.UNCHECKED, List.of(), reason);
  }

  /** Returns the place and the message of the first error of a unit. */
  private static String first(UnitResult unit) {
    return place(unit.findings().getFirst());
  }

  private BuildResult build(BuildOptions options, BiPredicate<String, Set<String>> wanted)
      throws PlanException, IOException, InterruptedException, ToolchainException {
    return Builder.of(options, toolchain, catalog, Optional.empty(), listener).build(wanted);
  }

  /** Returns whether a C++ unit has errors, all of them in the HIP headers. */
  private boolean isHipOnly(UnitResult unit) {
    return unit.language() == Language.CXX
        && !unit.findings().isEmpty()
        && unit.findings().stream()
            .allMatch(f -> f.message().contains(" (in " + toolchain.include()));
  }
}
