package dev.rocport.build;

import dev.rocport.build.compile.CacheIndex;
import dev.rocport.build.compile.CompileCommand;
import dev.rocport.build.compile.Compiler;
import dev.rocport.build.compile.DebugNames;
import dev.rocport.build.compile.FileHashes;
import dev.rocport.build.compile.NewerNames;
import dev.rocport.build.compile.ObjectCache;
import dev.rocport.build.compile.SyntaxCheck;
import dev.rocport.build.compile.UnitCompiler;
import dev.rocport.build.link.Linker;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.BuildPlan;
import dev.rocport.build.plan.CompileCommands;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.project.Mirror;
import dev.rocport.build.project.ProjectSystem;
import dev.rocport.build.project.ProjectSystems;
import dev.rocport.build.project.ProjectTools;
import dev.rocport.build.project.ToolRunner;
import dev.rocport.build.run.BuildFindings;
import dev.rocport.build.run.BuildListener;
import dev.rocport.build.run.PlanRunner;
import dev.rocport.build.unit.OriginMap;
import dev.rocport.build.unit.PortedOrigins;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.io.Folders;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.port.PortMemory;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.HipRuntime;
import dev.rocport.toolchain.runtime.Rocshmem;
import dev.rocport.toolchain.runtime.StandIns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Builds a ported tree. */
public final class Builder {
  private static final String FRONT_ENDS = "front-ends";
  private static final long CACHE_LIMIT = 4L << 30;

  private static final String BELOW =
      "folders below have builds of their own, which this build does not use: ";

  private final BuildOptions options;
  private final Toolchain toolchain;
  private final RuleCatalog catalog;
  private final BuildListener listener;
  private final OriginMap origins;

  Builder(
      BuildOptions options,
      Toolchain toolchain,
      RuleCatalog catalog,
      OriginMap origins,
      BuildListener listener) {
    this.options = options;
    this.toolchain = toolchain;
    this.catalog = catalog;
    this.origins = origins;
    this.listener = listener;
  }

  /**
   * Returns a builder of one tree.
   *
   * @param catalog the rules, to name the rules that edited a line
   * @param original the tree that was ported; empty to use the record of the port
   */
  public static Builder of(
      BuildOptions options,
      Toolchain toolchain,
      RuleCatalog catalog,
      Optional<Path> original,
      BuildListener listener) {
    OriginMap origins =
        original
            .map(tree -> origins(options.root(), catalog, p -> originalOf(tree, p)))
            .orElseGet(() -> recorded(options.root(), catalog));
    return new Builder(options, toolchain, catalog, origins, listener);
  }

  /** Returns the origins that the port recorded in a tree; none if the tree has no record. */
  public static OriginMap recorded(Path root, RuleCatalog catalog) {
    return PortMemory.of(root)
        .<OriginMap>map(memory -> origins(root, catalog, p -> remembered(memory, p)))
        .orElse(OriginMap.NONE);
  }

  private static OriginMap origins(
      Path root,
      RuleCatalog catalog,
      Function<String, Optional<PortedOrigins.Original>> originals) {
    return new PortedOrigins(root, originals, new CudaPorter(catalog, PortOptions.DEFAULT));
  }

  private static Optional<PortedOrigins.Original> remembered(PortMemory memory, String path) {
    return memory
        .original(path)
        .map(o -> new PortedOrigins.Original(o.file(), Optional.of(o.rules())));
  }

  /** Returns the original with the same name, or with the name before a rename. */
  private static Optional<PortedOrigins.Original> originalOf(Path tree, String path) {
    String cuda = path.endsWith(".hip") ? path.substring(0, path.length() - 4) + ".cu" : path;
    String name = Files.isRegularFile(tree.resolve(path)) ? path : cuda;
    try {
      byte[] content = Files.readAllBytes(tree.resolve(name));
      return Optional.of(
          new PortedOrigins.Original(new SourceFile(name, content), Optional.empty()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Compiles and links. Failures are part of the result.
   *
   * @throws PlanException if the project's build files cannot be interpreted
   * @throws IOException if the tree cannot be read or the output cannot be written
   * @throws ToolchainException if a required build tool is missing and cannot be installed
   */
  public BuildResult build()
      throws PlanException, IOException, InterruptedException, ToolchainException {
    return build((unit, files) -> true);
  }

  /**
   * The same.
   *
   * @param wanted whether to compile a unit, which reads these files of the tree and its own; not
   *     asked if a build of the project or {@code compile_commands.json} names the units
   */
  BuildResult build(BiPredicate<String, Set<String>> wanted)
      throws PlanException, IOException, InterruptedException, ToolchainException {
    long start = System.nanoTime();
    requireOwnFolder();
    Files.createDirectories(options.out());
    Files.writeString(options.out().resolve(BuildOptions.MARKER), "1\n");
    Files.writeString(options.out().resolve(".gitignore"), "*\n");
    Optional<ObjectCache> cache = options.cache().map(c -> new ObjectCache(c, CACHE_LIMIT));
    Optional<ProjectSystem> system = system();
    Path frontEnds = options.out().resolve(FRONT_ENDS);
    Optional<Mirror> copied =
        system.isPresent()
            ? Optional.of(Mirror.of(options.root(), options.out(), frontEnds))
            : Optional.empty();
    CompileCommand command =
        new CompileCommand(
            toolchain,
            options.targets(),
            options.lines(),
            copied.map(Mirror::debugNames).orElse(DebugNames.of(options.root())));
    Compiler real =
        new Compiler(
            command,
            toolchain.fingerprint(),
            options.timeout(),
            options.environment(),
            cache.map(c -> new CacheIndex(c, new FileHashes())));
    UnitCompiler compiler =
        options.syntaxOnly()
            ? new SyntaxCheck(command, options.timeout(), options.environment())
            : real;
    Linker linker =
        new Linker(
            toolchain, options.targets(), options.root(), options.timeout(), options.environment());
    NewerNames newer = new NewerNames(catalog, toolchain.hip());
    String source;
    List<String> below = List.of();
    PlanRunner.Outcome outcome;
    if (system.isPresent() && copied.isPresent()) {
      source = system.get().name();
      Mirror mirror = copied.get();
      BuildFindings findings =
          new BuildFindings(
              options.root(), catalog, origins, newer, mirror::original, options.targets().size());
      ToolRunner tools =
          new ToolRunner(
              options,
              toolchain,
              command,
              compiler,
              real,
              linker,
              mirror,
              system.get()::shown,
              listener);
      ProjectTools project =
          new ProjectTools(options, toolchain, mirror, tools, findings, listener);
      outcome = system.get().runner(project).run();
    } else {
      BuildFindings findings =
          new BuildFindings(
              options.root(),
              catalog,
              origins,
              newer,
              UnaryOperator.identity(),
              options.targets().size());
      BuildPlan plan = new Planning(options, toolchain, listener).plan(wanted);
      if (plan.units().isEmpty() && !options.syntaxOnly()) {
        throw new PlanException(options.root() + ": no source files to compile");
      }
      source = plan.source();
      below = options.plain() ? List.of() : ProjectSystems.below(options.root(), options.out());
      if (!below.isEmpty()) {
        listener.step(0, 0, BELOW + String.join(", ", below));
      }
      outcome = new PlanRunner(options, toolchain, compiler, linker, findings, listener).run(plan);
    }
    if (cache.isPresent()) {
      cache.get().trim();
    }
    return new BuildResult(
        source,
        toolchain.clangVersion(),
        toolchain.hip().toString(),
        options.targets(),
        outcome.units(),
        outcome.links(),
        outcome.findings(),
        notes(outcome, below),
        (System.nanoTime() - start) / 1e9);
  }

  /**
   * Returns the notes of a plan, a note about builds below the root, and a note about stand-in
   * libraries if the programs run on rocport's device.
   */
  private List<String> notes(PlanRunner.Outcome outcome, List<String> below)
      throws IOException, ToolchainException {
    List<String> notes = new ArrayList<>(outcome.notes());
    List<String> errors =
        outcome.units().stream().flatMap(u -> u.findings().stream()).map(Finding::message).toList();
    Rocshmem.of(toolchain).lacking(errors).ifPresent(notes::add);
    if (!below.isEmpty()) {
      notes.add(
          BELOW + String.join(", ", below) + "; run rocport build on one of them to use its build");
    }
    Set<String> linked = new TreeSet<>();
    outcome.links().forEach(l -> linked.addAll(l.libraries()));
    if (linked.contains(Rocshmem.LINK_NAME)) {
      Rocshmem.of(toolchain).origin().ifPresent(notes::add);
    }
    List<String> standIns = StandIns.among(linked, toolchain);
    if (!standIns.isEmpty() && HipRuntime.needed(toolchain)) {
      notes.add(
          "on the rocport device, programs use rocport stand-ins for "
              + String.join(", ", standIns));
    }
    return notes;
  }

  /**
   * Checks the output folder. It is cleared without confirmation, so it must be empty or belong to
   * an earlier build, and no link in it may lead out of it.
   */
  private void requireOwnFolder() throws PlanException, IOException {
    Path out = options.out();
    if (Files.isSymbolicLink(out) && out.startsWith(options.root())) {
      throw new PlanException(out + " is a symbolic link; choose another folder with --out");
    }
    if (!Files.exists(out)) {
      return;
    }
    if (!Files.isDirectory(out)) {
      throw new PlanException(out + " is not a folder; choose another path with --out");
    }
    boolean empty;
    try (Stream<Path> children = Files.list(out)) {
      empty = children.findAny().isEmpty();
    }
    if (!empty
        && !Files.isRegularFile(out.resolve(BuildOptions.MARKER), LinkOption.NOFOLLOW_LINKS)) {
      throw new PlanException(
          out
              + " contains files that rocport build did not write; choose an empty folder with"
              + " --out");
    }
    // The copy is cleared before each use; its links come from the tree.
    Path frontEnds = out.resolve(FRONT_ENDS);
    Folders.delete(frontEnds);
    try (Stream<Path> files = Files.walk(out)) {
      Optional<Path> link =
          files.filter(f -> !Mirror.isCopy(out, f) && Files.isSymbolicLink(f)).findFirst();
      if (link.isPresent()) {
        throw new PlanException(link.get() + " is a symbolic link; delete the output folder");
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns the project's own build system, which runs with front ends instead of compilers. */
  private Optional<ProjectSystem> system() throws IOException {
    return options.plain() ? Optional.empty() : system(options.root());
  }

  private static Optional<ProjectSystem> system(Path root) throws IOException {
    return CompileCommands.isIn(root) ? Optional.empty() : ProjectSystems.of(root);
  }

  /** Returns whether a build of a tree runs the project's own build system. */
  static boolean runsBuildOf(Path root) throws IOException {
    return system(root).isPresent();
  }
}
