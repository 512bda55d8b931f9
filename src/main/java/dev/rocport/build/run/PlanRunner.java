package dev.rocport.build.run;

import dev.rocport.build.compile.Compilation;
import dev.rocport.build.compile.UnitCompiler;
import dev.rocport.build.link.DeviceSymbols;
import dev.rocport.build.link.LibraryGuess;
import dev.rocport.build.link.LinkMessage;
import dev.rocport.build.link.LinkResolver;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.link.Linker;
import dev.rocport.build.link.ObjectSymbols;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.BuildPlan;
import dev.rocport.build.plan.PlainPlanner;
import dev.rocport.build.unit.Artifact;
import dev.rocport.build.unit.CodeObject;
import dev.rocport.build.unit.EmbeddedCode;
import dev.rocport.build.unit.Unit;
import dev.rocport.core.result.Finding;
import dev.rocport.io.elf.ElfFile;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Compiles the units of a plan in parallel and links the artifacts. */
public final class PlanRunner {
  private static final String UNDEFINED = "undefined hidden symbol: ";
  private static final String SHMEM = "rocshmem::";

  private final BuildOptions options;
  private final Toolchain toolchain;
  private final UnitCompiler compiler;
  private final Linker linker;
  private final BuildFindings findings;
  private final BuildListener listener;
  private final List<String> notes = new ArrayList<>();
  private final List<LinkResult> links = new ArrayList<>();
  private final List<Finding> linkFindings = new ArrayList<>();

  public PlanRunner(
      BuildOptions options,
      Toolchain toolchain,
      UnitCompiler compiler,
      Linker linker,
      BuildFindings findings,
      BuildListener listener) {
    this.options = options;
    this.toolchain = toolchain;
    this.compiler = compiler;
    this.linker = linker;
    this.findings = findings;
    this.listener = listener;
  }

  /** Result of a plan. */
  public record Outcome(
      List<UnitResult> units, List<LinkResult> links, List<Finding> findings, List<String> notes) {}

  public Outcome run(BuildPlan plan) throws IOException, InterruptedException {
    notes.addAll(plan.notes());
    List<Compilation> made = compile(plan.units());
    if (options.syntaxOnly()) {
      return outcome(made);
    }
    if (plan.bySymbols() && !options.relocatable()) {
      made = relocatable(plan.units(), made);
    }
    if (plan.bySymbols()) {
      linkPrograms(made, plan.flags());
    } else {
      linkArtifacts(plan.artifacts(), made);
    }
    return outcome(made);
  }

  private Outcome outcome(List<Compilation> made) {
    UnitReport report = new UnitReport(options.targets(), findings);
    return new Outcome(made.stream().map(report::of).toList(), links, linkFindings, notes);
  }

  /** Compiles units again that need device code of other units. */
  private List<Compilation> relocatable(List<Unit> units, List<Compilation> made)
      throws IOException, InterruptedException {
    Set<String> dependent = new HashSet<>();
    boolean others = false;
    for (Compilation c : made) {
      List<String> wanted = externalDeviceCode(c);
      if (!wanted.isEmpty()) {
        others |= !wanted.stream().allMatch(w -> w.contains(SHMEM));
        dependent.add(c.unit().path());
      }
    }
    if (dependent.isEmpty()) {
      return made;
    }
    if (others) {
      notes.add(
          "device code uses device code in other files, so the file was compiled again with"
              + " -fgpu-rdc");
      return compile(units.stream().map(u -> u.hasDeviceCode() ? u.asRelocatable() : u).toList());
    }
    // Units that do not call rocSHMEM device code need no device link.
    notes.add("device code calls rocSHMEM, so the file was compiled with -fgpu-rdc");
    return compile(
        units.stream().map(u -> dependent.contains(u.path()) ? u.asRelocatable() : u).toList());
  }

  private static List<String> externalDeviceCode(Compilation compilation) {
    return compilation.diagnostics().stream()
        .filter(d -> d.isError() && d.message().startsWith(UNDEFINED))
        .map(d -> d.message().substring(UNDEFINED.length()))
        .toList();
  }

  private List<Compilation> compile(List<Unit> units) throws IOException, InterruptedException {
    AtomicInteger done = new AtomicInteger();
    int total = units.size();
    ExecutorService pool =
        Executors.newFixedThreadPool(Math.max(1, Math.min(options.jobs(), Math.max(1, total))));
    try {
      List<Future<Compilation>> futures = new ArrayList<>();
      for (Unit unit : units) {
        futures.add(
            pool.submit(
                () -> {
                  Compilation c = compiler.compile(unit).compilation();
                  String step = c.status().verb(options.syntaxOnly()) + " " + unit.path();
                  listener.step(done.incrementAndGet(), total, step);
                  return c;
                }));
      }
      List<Compilation> made = new ArrayList<>();
      for (Future<Compilation> f : futures) {
        made.add(f.get());
      }
      return made;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw new IOException(io.getMessage(), io);
        case RuntimeException bug -> throw bug;
        case null, default -> throw new IllegalStateException(e);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private void linkPrograms(List<Compilation> made, List<String> flags)
      throws IOException, InterruptedException {
    SortedMap<String, ObjectSymbols> symbols = new TreeMap<>();
    Map<String, Path> objects = new HashMap<>();
    Set<String> relocatable = new HashSet<>();
    boolean anyFailed = false;
    DeviceSymbols device = new DeviceSymbols(linker.tool("llvm-nm"));
    for (Compilation c : made) {
      if (!c.ok()) {
        anyFailed = true;
        continue;
      }
      ElfFile object = ElfFile.read(c.unit().object());
      List<ElfFile.Symbol> all = new ArrayList<>(object.symbols());
      if (c.unit().relocatable()) {
        all.addAll(device.of(object));
        relocatable.add(c.unit().path());
      }
      symbols.put(c.unit().path(), ObjectSymbols.of(all));
      objects.put(c.unit().path(), c.unit().object());
    }
    List<LinkResolver.Program> programs = new LinkResolver(symbols).programs();
    if (programs.isEmpty() && !anyFailed && !made.isEmpty()) {
      notes.add("no file defines main; nothing to link");
    }
    List<Artifact> artifacts =
        PlainPlanner.artifacts(
            programs,
            objects,
            p -> {
              List<String> all = new ArrayList<>(flags);
              all.addAll(LibraryGuess.flags(toolchain, p.wanted()));
              return all;
            },
            options.out());
    for (int i = 0; i < programs.size(); i++) {
      LinkResolver.Program p = programs.get(i);
      notes.addAll(p.notes());
      boolean rdc = p.needed().stream().anyMatch(relocatable::contains);
      LinkResult linked = linkProgram(p, artifacts.get(i), objects, rdc, anyFailed);
      record(linked, p.main());
    }
  }

  private LinkResult linkProgram(
      LinkResolver.Program p,
      Artifact artifact,
      Map<String, Path> objects,
      boolean rdc,
      boolean anyFailed)
      throws IOException, InterruptedException {
    List<Path> more = new ArrayList<>(artifact.objects());
    for (String path : p.optional()) {
      more.add(objects.getOrDefault(path, artifact.output()));
    }
    List<String> inputs = new ArrayList<>(p.needed());
    if (!p.optional().isEmpty()) {
      long start = System.nanoTime();
      Exec.Outcome all =
          linker.link(artifact.kind(), artifact.output(), more, rdc, artifact.flags());
      if (all.ok()) {
        inputs.addAll(p.optional());
        return linked(artifact, start, inputs, all, anyFailed);
      }
      notes.add(
          "%s: linked without %s, which cannot be linked"
              .formatted(artifact.name(), String.join(", ", p.optional())));
    }
    long start = System.nanoTime();
    Exec.Outcome outcome =
        linker.link(artifact.kind(), artifact.output(), artifact.objects(), rdc, artifact.flags());
    return linked(artifact, start, inputs, outcome, anyFailed);
  }

  private void linkArtifacts(List<Artifact> artifacts, List<Compilation> made)
      throws IOException, InterruptedException {
    Map<Path, Compilation> byObject = new HashMap<>();
    made.forEach(c -> byObject.put(c.unit().object(), c));
    Map<String, Artifact> byName = new LinkedHashMap<>();
    artifacts.forEach(a -> byName.put(a.name(), a));
    Set<String> broken = new HashSet<>();
    for (Artifact a : artifacts) {
      ArtifactInputs in = ArtifactInputs.of(a, byName, byObject);
      List<String> missing = new ArrayList<>(in.failed());
      in.uses().stream().filter(broken::contains).forEach(missing::add);
      if (!missing.isEmpty()) {
        broken.add(a.name());
        links.add(
            new LinkResult(
                a.name(),
                a.kind(),
                a.output(),
                LinkResult.Status.SKIPPED,
                0,
                in.sources(),
                List.of(),
                List.of(),
                "needs " + String.join(", ", missing)));
        continue;
      }
      long start = System.nanoTime();
      Exec.Outcome outcome =
          linker.link(a.kind(), a.output(), in.files(), in.relocatable(), in.flags());
      LinkResult linked = linked(a, start, in.sources(), outcome, false);
      if (linked.status() != LinkResult.Status.LINKED) {
        broken.add(a.name());
      }
      record(linked, in.sources().isEmpty() ? a.name() : in.sources().getFirst());
    }
  }

  private void record(LinkResult result, String path) {
    links.add(result);
    listener.step(0, 0, (result.message().isEmpty() ? "linked " : "NOT LINKED ") + result.name());
    if (result.status() == LinkResult.Status.FAILED) {
      linkFindings.add(findings.link(path, result.name() + ": " + result.message()));
    }
  }

  /**
   * @param excused whether units failed to compile, so a link failure is not reported separately
   */
  private LinkResult linked(
      Artifact a, long startNanos, List<String> inputs, Exec.Outcome outcome, boolean excused)
      throws IOException {
    LinkResult.Status status =
        outcome.ok()
            ? LinkResult.Status.LINKED
            : excused ? LinkResult.Status.SKIPPED : LinkResult.Status.FAILED;
    List<CodeObject> code =
        outcome.ok() && a.kind() != Artifact.Kind.STATIC
            ? EmbeddedCode.of(ElfFile.read(a.output()))
            : List.of();
    List<String> libraries =
        a.flags().stream().filter(f -> f.startsWith("-l")).map(f -> f.substring(2)).toList();
    return new LinkResult(
        a.name(),
        a.kind(),
        a.output(),
        status,
        (System.nanoTime() - startNanos) / 1e9,
        inputs,
        libraries,
        code,
        outcome.ok() ? "" : LinkMessage.of(outcome));
  }
}
