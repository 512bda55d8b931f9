package dev.rocport.verify;

import dev.rocport.build.BuildResult;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.device.check.Checks;
import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Target;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.verify.compare.FileComparer;
import dev.rocport.verify.compare.Profile;
import dev.rocport.verify.compare.Profiles;
import dev.rocport.verify.compare.TensorComparison;
import dev.rocport.verify.tensor.ElementType;
import dev.rocport.verify.tensor.Tensor;
import dev.rocport.verify.tensor.TensorFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Runs the program of {@link Calibration} on the machine's GPU and on rocport's device, and
 * compares instruction by instruction. Without a GPU, compares the device with itself in another
 * order of waves: a test of the program, not of the device.
 */
public final class Calibrator {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final long SEED = 1;

  /** Instructions of which hardware gives an approximation. */
  private static final Pattern APPROXIMATE =
      Pattern.compile("v_(exp|log|sin|cos|rcp|rsq|sqrt)(_iflag|_legacy)?_.*");

  private final Pattern wanted;
  private final VerifyOptions options;
  private final RuleCatalog catalog;
  private final Toolchain toolchain;
  private final ToolchainRequest request;
  private final Consumer<String> progress;
  private final Findings findings;
  private final List<VerifyInfo.Case> cases = new ArrayList<>();
  private final List<VerifyInfo.Tensor> tensors = new ArrayList<>();

  /**
   * A calibration.
   *
   * @param wanted mnemonics must match it
   */
  public Calibrator(
      Pattern wanted,
      VerifyOptions options,
      RuleCatalog catalog,
      Toolchain toolchain,
      ToolchainRequest request,
      Consumer<String> progress) {
    this.wanted = wanted;
    this.options = options;
    this.catalog = catalog;
    this.toolchain = toolchain;
    this.request = request;
    this.progress = progress;
    this.findings = new Findings(catalog);
  }

  /** Builds, runs and compares. */
  public Verification run()
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    VerifyOptions device = options.with(VerifyOptions.Mode.EMULATED);
    try (Platform first = Platform.of(options, toolchain, request, progress);
        Platform second = Platform.of(device, toolchain, request, progress)) {
      for (String target : first.targets()) {
        one(target, first, second);
      }
      String note =
          first.hasOrders()
              ? "self-test: the rocport device against itself; " + Platform.UNTESTED
              : first.note() + ", against the rocport device";
      return new Verification(
          findings.files(),
          new VerifyInfo(first.name(), note, cases, tensors, List.of(), List.of()));
    }
  }

  private void one(String target, Platform first, Platform second)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Target gpu =
        Target.named(target)
            .orElseThrow(() -> new VerifyException("the device has no table for " + target));
    Calibration calibration = new Calibration(gpu, wanted);
    Map<String, DataType> results = calibration.results();
    if (results.isEmpty()) {
      throw new VerifyException("no instruction of " + target + " matches " + wanted);
    }
    String name = "calibrate-" + target;
    Path tree = Files.createDirectories(options.work().resolve(name));
    Files.writeString(tree.resolve("calibrate.hip"), calibration.source());
    progress.accept("%s: build %d instructions".formatted(name, results.size()));
    BuildResult build =
        new Workshop(catalog, PortOptions.DEFAULT, toolchain, options.with(List.of(target)))
            .build(tree, Optional.of("c++17"), List.of(), List.of());
    findings.addAll(name, build.allFindings());
    Optional<Path> program = new Programs(tree).find("calibrate");
    if (program.isEmpty()) {
      cases.add(
          new VerifyInfo.Case(
              "calibrate",
              "",
              target,
              0,
              "failed",
              Map.of(),
              List.of(),
              List.of(),
              "does not build"));
      return;
    }
    TensorFile expected = results(program.get(), target, first, Checks.NONE, "first");
    TensorFile actual = results(program.get(), target, second, Checks.order(SEED), "second");
    Profiles profiles = Profiles.ofHome();
    Profile same = profiles.get("same");
    Profile near = profiles.get("ulp4");
    List<TensorComparison> compared =
        new FileComparer(n -> APPROXIMATE.matcher(n).matches() ? near : same, n -> 1)
            .compare(typed(expected, results), typed(actual, results));
    long ok = compared.stream().filter(t -> t.outcome().ok()).count();
    for (TensorComparison t : compared) {
      tensors.add(TensorRow.of(name, t));
      if (!t.outcome().ok()) {
        findings.add(name, t.name(), new Problem(Problem.TENSOR, Judge.tensor(t)));
      }
    }
    cases.add(
        new VerifyInfo.Case(
            "calibrate",
            "",
            target,
            0,
            ok == compared.size() && ok == results.size() ? "ok" : "failed",
            Map.of("instructions", ok + " of " + results.size()),
            List.of(),
            List.of(),
            ""));
  }

  private TensorFile results(
      Path program, String target, Platform platform, Checks checks, String name)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    progress.accept("calibrate " + target + ": run on " + platform.note());
    Path scratch = Files.createDirectories(options.work().resolve(target + "-" + name));
    Path out = scratch.resolve("tensors");
    ProgramRun run =
        platform.run(
            List.of(program.toString()),
            scratch,
            target,
            0,
            1,
            Optional.empty(),
            Map.of("ROCPORT_GOLDEN_OUT", out.toString()),
            platform.hasOrders() ? checks : Checks.NONE,
            options.limit().orElse(LIMIT),
            scratch);
    if (run.code() != 0 || run.isCut()) {
      throw new VerifyException(
          "the instructions for %s did not run: %s%s"
              .formatted(target, run.text().strip(), run.stderr().strip().indent(2)));
    }
    return TensorFile.read(out.resolve("calibrate.safetensors"));
  }

  /** The results, which the program writes in 64 bits each, as what the instructions make. */
  private static TensorFile typed(TensorFile file, Map<String, DataType> results) {
    SortedMap<String, Tensor> typed = new TreeMap<>();
    file.tensors()
        .forEach((name, t) -> typed.put(name, typed(t, results.getOrDefault(name, DataType.B64))));
    return new TensorFile(file.metadata(), typed);
  }

  private static Tensor typed(Tensor t, DataType result) {
    ElementType type =
        switch (result) {
          case F16 -> ElementType.F16;
          case F32 -> ElementType.F32;
          case F64 -> ElementType.F64;
          default -> ElementType.U64;
        };
    int n = Math.toIntExact(t.count());
    ByteBuffer bytes = ByteBuffer.allocate(n * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < n; i++) {
      switch (type.bytes()) {
        case 2 -> bytes.putShort((short) t.bits(i));
        case 4 -> bytes.putInt((int) t.bits(i));
        default -> bytes.putLong(t.bits(i));
      }
    }
    return new Tensor(t.name(), type, t.shape(), MemorySegment.ofArray(bytes.array()));
  }
}
