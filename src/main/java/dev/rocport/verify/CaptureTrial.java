package dev.rocport.verify;

import dev.rocport.build.BuildResult;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.unit.Artifact;
import dev.rocport.device.check.Checks;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.HipRuntime;
import dev.rocport.toolchain.runtime.LoadedLibraries;
import dev.rocport.toolchain.runtime.StandIns;
import dev.rocport.verify.capture.Capture;
import dev.rocport.verify.capture.Known;
import dev.rocport.verify.capture.Plan;
import dev.rocport.verify.capture.Script;
import dev.rocport.verify.capture.Step;
import dev.rocport.verify.capture.UnknownOperatorException;
import dev.rocport.verify.compare.FileComparer;
import dev.rocport.verify.compare.Profile;
import dev.rocport.verify.compare.Profiles;
import dev.rocport.verify.compare.TensorComparison;
import dev.rocport.verify.tensor.Tensor;
import dev.rocport.verify.tensor.TensorFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Replays captures of compiled PyTorch graphs, and compares the results of each call. */
final class CaptureTrial {
  /** Tolerances unless the command names others. */
  private static final String PROFILE = "graph";

  /** Tolerances against the graph without compilation, which rounds after each operator. */
  private static final String UNCOMPILED = "uncompiled";

  /** The end of the name of a result of the graph without compilation. */
  private static final String EAGER = " eager";

  private static final String REPLAY = "hip-runtime/torch/replay.hip";
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final TensorFile NOTHING = new TensorFile(new TreeMap<>(), new TreeMap<>());

  private final VerifyOptions options;
  private final Platform platform;
  private final Workshop workshop;
  private final Results results;
  private final Profile profile;
  private final Profile uncompiled;
  private Optional<Path> program = Optional.empty();
  private int scratches;
  private long compared;

  CaptureTrial(
      VerifyOptions options,
      Platform platform,
      Workshop workshop,
      Results results,
      Profiles profiles) {
    this.options = options;
    this.platform = platform;
    this.workshop = workshop;
    this.results = results;
    this.profile = profiles.get(options.profile().orElse(PROFILE));
    this.uncompiled = profiles.get(options.profile().orElse(UNCOMPILED));
  }

  /** Whether a folder is a capture. */
  static boolean is(Path folder) {
    return Files.isRegularFile(folder.resolve(Capture.FILE));
  }

  /** Replays all graphs of a capture on all targets of the platform. */
  void run(Path folder)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
    Known known = Known.read(folder);
    Capture capture = Capture.read(folder.resolve(Capture.FILE), unpacked(folder, name));
    TensorFile inputs = TensorFile.read(capture.data());
    int replays = 0;
    compared = 0;
    for (String target : platform.targets()) {
      List<Plan> plans = capture.plans().get(target);
      if (plans == null) {
        problem(
            name,
            target,
            new Problem(
                Problem.CAPTURE,
                "was not lowered for %s, only for %s"
                    .formatted(target, String.join(", ", capture.plans().keySet()))));
        results.replayed(new Replayed(name, "", target).notRun("not lowered for " + target));
        continue;
      }
      for (String graph : capture.missing(target)) {
        problem(
            name,
            graph + " " + target,
            new Problem(Problem.RUN, "has no plan: the capture is incomplete"));
        results.replayed(new Replayed(name, graph, target).notRun("has no plan"));
      }
      for (Plan plan : plans) {
        if (options.only().isEmpty() || options.only().stream().anyMatch(plan::is)) {
          replay(name, capture, plan, inputs, known.of(plan));
          replays++;
        }
      }
    }
    if (replays == 0 && !options.only().isEmpty()) {
      throw new VerifyException(
          "--run: %s has no graph %s".formatted(folder, String.join(" or ", options.only())));
    }
    if (replays > 0 && compared == 0) {
      problem(name, "", new Problem(Problem.RUN, "no result of this capture was compared"));
    }
  }

  /** The folder with the files of a capture's archive; the capture itself if it has none. */
  private Path unpacked(Path folder, String name) throws IOException, VerifyException {
    Path archive = folder.resolve(Capture.ARCHIVE);
    if (!Files.exists(archive)) {
      return folder;
    }
    Path to =
        Files.createDirectories(
            options.work().resolve("captures").resolve(scratches++ + "-" + name));
    for (Map.Entry<String, byte[]> file : Archive.read(archive).files().entrySet()) {
      Path path = to.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    return to;
  }

  private void replay(
      String name, Capture capture, Plan plan, TensorFile inputs, Optional<Known.Difference> known)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Replayed replayed = new Replayed(name, plan.graph(), plan.target());
    String where = plan.graph() + " " + plan.target();
    results.progress(name + ": " + where);
    for (String note : plan.notes()) {
      problem(name, where, new Problem(Problem.CAPTURED, note));
    }
    if (plan.failed().isPresent()) {
      problem(
          name, where, new Problem(Problem.CAPTURE, "was not captured: " + plan.failed().get()));
      results.replayed(replayed.notRun(plan.failed().get()));
      return;
    }
    Script script;
    try {
      script = Script.of(capture, plan, inputs, file(capture, plan.given()));
    } catch (UnknownOperatorException e) {
      String message = String.valueOf(e.getMessage());
      problem(name, where, new Problem(Problem.CAPTURE, message));
      results.replayed(replayed.notRun(message));
      return;
    }
    TensorFile golden = file(capture, plan.golden());
    replayed.checks().put("kernels", kernels(plan));
    if (!script.taken().isEmpty()) {
      replayed.checks().put("from the recording", String.join(", ", script.taken()));
    }
    for (int i = 0; i < options.runs(); i++) {
      once(replayed, name, where, plan, script, golden, known, i);
      if (!replayed.ok()) {
        break;
      }
    }
    results.replayed(replayed);
  }

  private static String kernels(Plan plan) {
    int candidates = 0;
    for (Step step : plan.steps()) {
      if (step instanceof Step.Launch l) {
        candidates += l.candidates().size();
      }
    }
    return candidates == plan.launches()
        ? String.valueOf(candidates)
        : "%d in %d configurations".formatted(plan.launches(), candidates);
  }

  private void once(
      Replayed replayed,
      String name,
      String where,
      Plan plan,
      Script script,
      TensorFile golden,
      Optional<Known.Difference> known,
      int again)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Path scratch =
        Files.createDirectories(
            options.work().resolve("replays").resolve(String.valueOf(scratches++)));
    Path calls = scratch.resolve("calls.tsv");
    Path data = scratch.resolve("data");
    Path written = scratch.resolve("results");
    Files.writeString(calls, script.text(), StandardCharsets.UTF_8);
    Files.write(data, script.data());
    Path found = scratch.resolve("findings.jsonl");
    Path libraries = Files.createFile(scratch.resolve("libraries"));
    Map<String, String> variables = new TreeMap<>();
    variables.put(RunFindings.VARIABLE, found.toString());
    variables.put(StandIns.VARIABLE, libraries.toString());
    boolean ordered = again > 0 && platform.hasOrders();
    Checks checks = ordered ? options.checks().ordered(again) : options.checks();
    ProgramRun run =
        platform.run(
            List.of(program().toString(), calls.toString(), data.toString(), written.toString()),
            scratch,
            plan.target(),
            0,
            1,
            Optional.empty(),
            variables,
            checks,
            options.limit().orElse(LIMIT),
            scratch);
    replayed.libraries(LoadedLibraries.noted(libraries));
    for (SeenFinding f : SeenFinding.read(found)) {
      replayed.failed();
      problem(name, where, new Problem(Problem.FOUND, f.toString()));
    }
    if (run.isCut() || run.code() != 0) {
      replayed.failed();
      String why =
          run.timedOut()
              ? "the replay did not finish within its time limit"
              : "the replay exited with %d: %s".formatted(run.code(), run.lastWords());
      problem(name, where, new Problem(Problem.RUN, why));
      return;
    }
    compare(
        replayed,
        name,
        where,
        plan,
        golden,
        known,
        script,
        script.tensors(Files.readAllBytes(written)));
    Files.delete(written);
  }

  private void compare(
      Replayed replayed,
      String name,
      String where,
      Plan plan,
      TensorFile golden,
      Optional<Known.Difference> known,
      Script script,
      SortedMap<String, Tensor> tensors) {
    List<TensorComparison> all = new ArrayList<>();
    for (String recorded : names(golden)) {
      for (int candidate = 0; ; candidate++) {
        String own = Script.ofCandidate(recorded.replace(EAGER, ""), candidate);
        Tensor tensor = tensors.get(own);
        if (tensor == null) {
          break;
        }
        all.add(compare(recorded, Script.ofCandidate(recorded, candidate), golden, tensor));
      }
    }
    List<String> wrong =
        all.stream().filter(t -> !t.outcome().ok()).map(TensorComparison::name).toList();
    long sampled = all.stream().filter(t -> t.message().contains("samples")).count();
    compared += all.size();
    replayed
        .checks()
        .put(
            "tensors",
            "%d of %d within tolerance%s"
                .formatted(
                    all.size() - wrong.size(),
                    all.size(),
                    sampled == 0 ? "" : " (%d by samples)".formatted(sampled)));
    if (all.stream().noneMatch(t -> t.name().endsWith(EAGER))) {
      replayed
          .checks()
          .put(
              "without compilation",
              plan.random() ? "not compared, since it draws random numbers" : "not recorded");
    }
    if (all.stream().noneMatch(t -> plan.step(t.name()).isEmpty())) {
      problem(name, where, new Problem(Problem.NO_GOLDEN, "its results were not recorded"));
      replayed.notRun("its results were not recorded");
    }
    for (Problem p : unmatched(plan, golden, tensors, script.taken())) {
      replayed.failed();
      problem(name, where, p);
    }
    for (TensorComparison t : all) {
      if (plan.step(t.name()).isEmpty() || !t.outcome().ok()) {
        replayed.add(t);
      }
    }
    Optional<TensorComparison> first = all.stream().filter(t -> !t.outcome().ok()).findFirst();
    boolean expected =
        first.isPresent() && known.filter(k -> k.tensors().equals(Set.copyOf(wrong))).isPresent();
    if (expected) {
      replayed.checks().put("known", known.get().reason());
      problem(
          name,
          where,
          new Problem(
              Problem.KNOWN,
              "%s: %s".formatted(first(plan, first.get(), wrong.size()), known.get().reason())));
    } else if (first.isPresent()) {
      replayed.failed();
      problem(name, where, new Problem(Problem.TENSOR, first(plan, first.get(), wrong.size())));
    } else if (known.isPresent()) {
      problem(
          name,
          where,
          new Problem(
              Problem.CAPTURE,
              Known.FILE + " lists a difference of this graph, which no longer differs"));
    }
  }

  /** Results that only one side has: the replay, or the recording on a GPU. */
  private static List<Problem> unmatched(
      Plan plan, TensorFile golden, SortedMap<String, Tensor> tensors, Set<String> taken) {
    List<String> recorded = names(golden);
    List<Problem> problems = new ArrayList<>();
    if (recorded.stream().allMatch(n -> n.endsWith(EAGER))) {
      return problems; // the capture was made without a GPU
    }
    for (String n : recorded) {
      boolean given =
          plan.step(n)
              .filter(s -> s instanceof Step.Call c && taken.contains(c.operator()))
              .isPresent();
      if (!given && !tensors.containsKey(n.replace(EAGER, ""))) {
        problems.add(new Problem(Problem.TENSOR, n + " was recorded and not computed"));
      }
    }
    for (String n : tensors.keySet()) {
      if (!recorded.contains(n.replaceFirst(" #.*", ""))) {
        problems.add(new Problem(Problem.TENSOR, n + " was computed and not recorded"));
      }
    }
    return problems;
  }

  /** The first call whose result differs: later ones may differ because they read it. */
  private static String first(Plan plan, TensorComparison t, long wrong) {
    String what =
        switch (plan.step(t.name()).orElse(null)) {
          case Step.Launch l -> "the kernel " + l.name() + ", " + t.name() + source(l);
          case Step.Call c -> "the operator " + c.operator() + ", " + t.name();
          case null -> "a result of the graph, " + t.name();
        };
    return "first difference at %s: %s; %d tensors differ in all"
        .formatted(
            what,
            t.message().isEmpty()
                ? "%d of %d elements beyond %s, by up to %.3g at %s"
                    .formatted(t.wrong(), t.count(), t.rule(), t.maxAbs(), t.maxAbsAt())
                : t.message() + ", by up to %.3g at %s".formatted(t.maxAbs(), t.maxAbsAt()),
            wrong);
  }

  private static String source(Step.Launch launch) {
    return " (" + launch.candidates().getFirst().source() + ")";
  }

  private TensorComparison compare(String recorded, String name, TensorFile golden, Tensor tensor) {
    Map<String, Tensor> own = new TreeMap<>();
    own.put(recorded, tensor);
    SortedMap<String, Tensor> expected = new TreeMap<>();
    SortedMap<String, String> metadata = new TreeMap<>();
    golden
        .tensors()
        .forEach(
            (n, t) -> {
              if (n.equals(recorded) || n.startsWith(recorded + "@")) {
                expected.put(n, t);
              }
            });
    String summary = golden.metadata().get("tensor." + recorded);
    if (summary != null) {
      metadata.put("tensor." + recorded, summary);
    }
    TensorComparison t =
        new FileComparer(n -> recorded.endsWith(EAGER) ? uncompiled : profile, n -> 1)
            .compare(
                new TensorFile(metadata, expected),
                new TensorFile(new TreeMap<>(), new TreeMap<>(own)))
            .getFirst();
    return t.as(name);
  }

  private static List<String> names(TensorFile golden) {
    List<String> names = new ArrayList<>();
    golden.tensors().keySet().stream()
        .map(n -> n.replaceFirst("@.*", ""))
        .distinct()
        // Results of calls are s000 ..., those of the graph come after them.
        .sorted(
            Comparator.<String, Boolean>comparing(n -> !n.startsWith("s"))
                .thenComparing(n -> n.startsWith("s") ? n.indexOf(' ') : 0)
                .thenComparing(Comparator.naturalOrder()))
        .forEach(names::add);
    return names;
  }

  private static TensorFile file(Capture capture, Optional<String> path) throws IOException {
    return path.isPresent() ? TensorFile.read(capture.folder().resolve(path.get())) : NOTHING;
  }

  private void problem(String name, String where, Problem problem) {
    results.findings().add(name, where, problem);
  }

  /** The program that replays scripts, built once. */
  private Path program()
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    if (program.isEmpty()) {
      results.progress("replay: build");
      Path tree = Files.createDirectories(options.work().resolve("replay"));
      Path source = HipRuntime.installation().resolve(REPLAY);
      Files.copy(
          source,
          tree.resolve(String.valueOf(source.getFileName())),
          StandardCopyOption.REPLACE_EXISTING);
      BuildResult build = workshop.build(tree, Optional.of("c++17"), List.of(), List.of());
      program =
          build.links().stream()
              .filter(l -> l.kind() == Artifact.Kind.EXECUTABLE)
              .filter(l -> l.status() == LinkResult.Status.LINKED)
              .map(LinkResult::output)
              .findFirst();
      if (program.isEmpty()) {
        throw new VerifyException(REPLAY + " does not build with this toolchain");
      }
    }
    return program.get();
  }
}
