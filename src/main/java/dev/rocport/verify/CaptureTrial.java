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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Replays captures of compiled PyTorch graphs. */
final class CaptureTrial {
  private static final String REPLAY = "hip-runtime/torch/replay.hip";
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final TensorFile NOTHING = new TensorFile(new TreeMap<>(), new TreeMap<>());

  private final VerifyOptions options;
  private final Platform platform;
  private final Workshop workshop;
  private final Results results;
  private final Profiles profiles;
  private final NumberedFolders captures;
  private final NumberedFolders scratches;
  private Optional<Path> program = Optional.empty();

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
    Capture capture = Capture.read(folder.resolve(Capture.FILE), unpacked(folder));
    TensorFile inputs = TensorFile.read(capture.data());
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
          replay(replayed, capture, plan, inputs, known.of(plan), judge);
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
      Capture capture,
      Plan plan,
      TensorFile inputs,
      Optional<Known.Difference> known,
      ReplayJudge judge)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    plan.notes().forEach(n -> replayed.note(Problem.CAPTURED, n));
    if (plan.failed().isPresent()) {
      replayed.notRun(Problem.CAPTURE, "was not captured: " + plan.failed().get());
      return;
    }
    Script script;
    try {
      script = Script.of(capture, plan, inputs, file(capture, plan.given()));
    } catch (UnknownOperatorException e) {
      replayed.notRun(Problem.CAPTURE, String.valueOf(e.getMessage()));
      return;
    }
    TensorFile golden = file(capture, plan.golden());
    replayed.checks().put("kernels", kernels(plan));
    if (!script.taken().isEmpty()) {
      replayed.checks().put("from the recording", String.join(", ", script.taken()));
    }
    for (int i = 0; i < options.runs() && replayed.ok(); i++) {
      Optional<byte[]> written = once(replayed, script, i);
      if (written.isPresent()) {
        judge.judge(plan, script, golden, known, script.tensors(written.get()), replayed);
      }
    }
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

  /** What a replay wrote; empty if it did not end well. */
  private Optional<byte[]> once(Replayed replayed, Script script, int again)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Path scratch = scratches.next();
    Path calls = scratch.resolve("calls.tsv");
    Path data = scratch.resolve("data");
    Path written = scratch.resolve("results");
    Files.writeString(calls, script.text(), StandardCharsets.UTF_8);
    Files.write(data, script.data());
    Path found = scratch.resolve("findings.jsonl");
    Path libraries = Files.createFile(scratch.resolve("libraries"));
    ProgramRun run =
        platform.run(
            List.of(program().toString(), calls.toString(), data.toString(), written.toString()),
            scratch,
            replayed.row().target(),
            0,
            1,
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
      return Optional.empty();
    }
    byte[] bytes = Files.readAllBytes(written);
    Files.delete(written);
    return Optional.of(bytes);
  }

  private static TensorFile file(Capture capture, Optional<String> path) throws IOException {
    return path.isPresent() ? TensorFile.read(capture.folder().resolve(path.get())) : NOTHING;
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
