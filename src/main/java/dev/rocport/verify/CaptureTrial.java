package dev.rocport.verify;

import dev.rocport.build.BuildResult;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.unit.Artifact;
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
import dev.rocport.verify.compare.Profiles;
import dev.rocport.verify.tensor.TensorFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Replays captures of compiled PyTorch graphs. */
final class CaptureTrial {
  private static final Path SOURCES = Path.of("hip-runtime/torch");
  private static final String REPLAY = "replay.hip";
  private static final String REPLAY_OF_RANKS = "replay_ranks.hip";
  private static final String HEADER = "replay.h";
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final TensorFile NOTHING = new TensorFile(new TreeMap<>(), new TreeMap<>());

  private final VerifyOptions options;
  private final Platform platform;
  private final Workshop workshop;
  private final Results results;
  private final Profiles profiles;
  private final NumberedFolders captures;
  private final NumberedFolders scratches;
  private final Map<String, Path> programs = new TreeMap<>();

  /** One rank of a replay. */
  private record Rank(String name, Plan plan, Script script, TensorFile golden) {}

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
    this.profiles = profiles;
    this.captures = new NumberedFolders(options.work().resolve("captures"));
    this.scratches = new NumberedFolders(options.work().resolve("replays"));
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
    List<Capture> ranks = Capture.read(folder.resolve(Capture.FILE), unpacked(folder));
    Capture capture = ranks.getFirst();
    List<TensorFile> inputs = new ArrayList<>();
    for (Capture c : ranks) {
      inputs.add(TensorFile.read(c.data()));
    }
    ReplayJudge judge = new ReplayJudge(profiles, options.profile());
    int replays = 0;
    for (String target : platform.targets()) {
      if (!capture.plans().containsKey(target)) {
        results.replayed(
            new Replayed(name, "", target)
                .notRun(
                    Problem.CAPTURE,
                    "was not lowered for %s, only for %s"
                        .formatted(target, String.join(", ", capture.plans().keySet()))));
        continue;
      }
      for (String graph : capture.missing(target)) {
        results.replayed(
            new Replayed(name, graph, target)
                .notRun(Problem.RUN, "has no plan: the capture is incomplete"));
      }
      for (Plan plan : capture.plans().get(target)) {
        if (options.only().isEmpty() || options.only().stream().anyMatch(plan::is)) {
          Replayed replayed = new Replayed(name, plan.graph(), target);
          results.progress(name + ": " + replayed.where());
          replay(replayed, ranks, plan, inputs, known.of(plan), judge);
          results.replayed(replayed);
          replays++;
        }
      }
    }
    if (replays == 0 && !options.only().isEmpty()) {
      throw new VerifyException(
          "--run: %s has no graph %s".formatted(folder, String.join(" or ", options.only())));
    }
    if (replays > 0 && judge.compared() == 0) {
      results
          .findings()
          .add(name, "", new Problem(Problem.RUN, "no result of this capture was compared"));
    }
  }

  /** The folder with the files of a capture's archive; the capture itself if it has none. */
  private Path unpacked(Path folder) throws IOException, VerifyException {
    Path archive = folder.resolve(Capture.ARCHIVE);
    if (!Files.exists(archive)) {
      return folder;
    }
    Path to = captures.next();
    for (Map.Entry<String, byte[]> file : Archive.read(archive).files().entrySet()) {
      Path path = to.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    return to;
  }

  private void replay(
      Replayed replayed,
      List<Capture> captures,
      Plan plan,
      List<TensorFile> inputs,
      Optional<Known.Difference> known,
      ReplayJudge judge)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    plan.notes().forEach(n -> replayed.note(Problem.CAPTURED, n));
    List<Step.Collective.Group> groups =
        captures.stream()
            .flatMap(c -> c.plan(plan.target(), plan.graph()).stream())
            .flatMap(p -> p.groups().stream())
            .distinct()
            .toList();
    List<Rank> ranks = new ArrayList<>();
    try {
      for (int i = 0; i < captures.size(); i++) {
        Optional<Rank> rank = rank(replayed, captures, i, plan, inputs.get(i), groups);
        if (rank.isEmpty()) {
          return;
        }
        ranks.add(rank.get());
      }
    } catch (UnknownOperatorException e) {
      replayed.notRun(Problem.CAPTURE, String.valueOf(e.getMessage()));
      return;
    }
    Script script = ranks.getFirst().script();
    if (ranks.stream().anyMatch(r -> !r.script().shared().equals(script.shared()))) {
      replayed.notRun(Problem.CAPTURE, "the ranks do not make the same collectives");
      return;
    }
    replayed.checks().put("kernels", kernels(plan));
    if (!script.taken().isEmpty()) {
      replayed.checks().put("from the recording", String.join(", ", script.taken()));
    }
    if (ranks.size() > 1) {
      replayed.ranks(ranks.size());
      replayed.checks().put("collectives by rocSHMEM", collectives(plan));
    }
    for (int i = 0; i < options.runs() && replayed.ok(); i++) {
      List<byte[]> written = once(replayed, ranks, i);
      for (int r = 0; r < written.size(); r++) {
        Rank rank = ranks.get(r);
        judge.judge(
            rank.plan(),
            rank.name(),
            rank.script(),
            rank.golden(),
            ranks.size() == 1 ? known : Optional.empty(),
            rank.script().tensors(written.get(r)),
            replayed);
      }
    }
  }

  /** A rank of a graph; empty if it has no plan. */
  private static Optional<Rank> rank(
      Replayed replayed,
      List<Capture> captures,
      int number,
      Plan first,
      TensorFile inputs,
      List<Step.Collective.Group> groups)
      throws IOException, UnknownOperatorException {
    Capture capture = captures.get(number);
    String name = captures.size() == 1 ? "" : " of rank " + number;
    Optional<Plan> plan = capture.plan(first.target(), first.graph());
    if (plan.isEmpty() || plan.get().failed().isPresent()) {
      replayed.notRun(
          Problem.CAPTURE,
          "was not captured%s: %s"
              .formatted(name, plan.flatMap(Plan::failed).orElse("there is no plan")));
      return Optional.empty();
    }
    TensorFile given = file(capture, plan.get().given());
    Script script = Script.of(capture, plan.get(), inputs, given, groups);
    TensorFile golden = file(capture, plan.get().golden());
    return Optional.of(new Rank(name, plan.get(), script, golden));
  }

  private static String collectives(Plan plan) {
    List<String> all =
        plan.steps().stream()
            .filter(Step.Collective.class::isInstance)
            .map(step -> ((Step.Collective) step).operator())
            .distinct()
            .toList();
    return all.isEmpty() ? "none" : String.join(", ", all);
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

  /** What the ranks of a replay wrote; empty if it did not end well. */
  private List<byte[]> once(Replayed replayed, List<Rank> ranks, int again)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    boolean several = ranks.size() > 1;
    Path scratch = scratches.next();
    Path calls = scratch.resolve("calls.tsv");
    Path data = scratch.resolve("data");
    Path written = scratch.resolve("results");
    for (int i = 0; i < ranks.size(); i++) {
      Script script = ranks.get(i).script();
      Files.writeString(of(calls, several, i), script.text(), StandardCharsets.UTF_8);
      Files.write(of(data, several, i), script.data());
    }
    Path found = scratch.resolve("findings.jsonl");
    Path libraries = Files.createFile(scratch.resolve("libraries"));
    String program = program(several ? REPLAY_OF_RANKS : REPLAY).toString();
    ProgramRun run =
        platform.run(
            List.of(program, calls.toString(), data.toString(), written.toString()),
            scratch,
            replayed.row().target(),
            several ? ranks.size() : 0,
            several ? 0 : 1,
            Optional.empty(),
            Map.of(RunFindings.VARIABLE, found.toString(), StandIns.VARIABLE, libraries.toString()),
            platform.ordered(options.checks(), again),
            options.limit().orElse(LIMIT),
            scratch);
    replayed.libraries(LoadedLibraries.noted(libraries));
    for (SeenFinding f : SeenFinding.defects(found)) {
      replayed.fail(Problem.FOUND, f.toString());
    }
    if (run.isCut() || run.code() != 0) {
      replayed.fail(
          Problem.RUN,
          run.timedOut()
              ? "the replay did not finish within its time limit"
              : "the replay exited with %d: %s".formatted(run.code(), run.lastWords()));
      return List.of();
    }
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < ranks.size(); i++) {
      Path own = of(written, several, i);
      all.add(Files.readAllBytes(own));
      Files.delete(own);
    }
    return all;
  }

  /** The file of a rank: its number is the ending if there are several. */
  private static Path of(Path file, boolean several, int rank) {
    return several ? file.resolveSibling(file.getFileName() + "." + rank) : file;
  }

  private static TensorFile file(Capture capture, Optional<String> path) throws IOException {
    return path.isPresent() ? TensorFile.read(capture.own().resolve(path.get())) : NOTHING;
  }

  /** A program that replays scripts, built once. */
  private Path program(String source)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Path built = programs.get(source);
    if (built != null) {
      return built;
    }
    results.progress(source + ": build");
    Path tree = Files.createDirectories(options.work().resolve("replay").resolve(source));
    for (String file : List.of(HEADER, source)) {
      Files.copy(
          HipRuntime.installation().resolve(SOURCES).resolve(file),
          tree.resolve(file),
          StandardCopyOption.REPLACE_EXISTING);
    }
    BuildResult build = workshop.build(tree, Optional.of("c++17"), List.of(), List.of());
    Path program =
        build.links().stream()
            .filter(l -> l.kind() == Artifact.Kind.EXECUTABLE)
            .filter(l -> l.status() == LinkResult.Status.LINKED)
            .map(LinkResult::output)
            .findFirst()
            .orElseThrow(() -> new VerifyException(source + " does not build with this toolchain"));
    programs.put(source, program);
    return program;
  }
}
