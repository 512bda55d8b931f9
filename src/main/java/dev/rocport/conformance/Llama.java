package dev.rocport.conformance;

import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.process.Exec;
import dev.rocport.rules.BuiltInText;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.PackageFolder;
import dev.rocport.toolchain.packages.PackageLock;
import dev.rocport.toolchain.packages.PackageSet;
import dev.rocport.toolchain.packages.PackageStore;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * llama.cpp from Debian generates text with a model of random weights, on the processor and on the
 * device with the HIP backend of ggml, and computes the logits after that text on both.
 */
public final class Llama {
  /** The name of the command. */
  public static final String NAME = "llama";

  private static final String BACKENDS = "usr/lib/x86_64-linux-gnu/ggml/backends0";
  private static final String PROCESSOR = "none";
  private static final String GPU = "ROCm0";
  private static final String PROMPT = "Hello";
  private static final int TOKENS = 16;

  /** A line of the log, which it writes for each of several passes. */
  private static final Pattern OFFLOADED = Pattern.compile("offloaded (\\d+)/(\\d+) layers to GPU");

  private final Programs programs;
  private final Path work;
  private final Duration limit;

  /** Makes a process that runs a program of the packages. */
  @FunctionalInterface
  interface Programs {
    /**
     * The program, not started yet.
     *
     * @param name of its file
     */
    Exec program(String name, List<String> arguments);
  }

  /**
   * @param work an empty folder
   * @param limit the most time for a process
   */
  Llama(Programs programs, Path work, Duration limit) {
    this.programs = programs;
    this.work = work;
    this.limit = limit;
  }

  /** What is downloaded. */
  public static PackageSet packages() {
    return new PackageSet(
        NAME,
        BuiltInText.table("conformance/llama.tsv", "package").rows().stream()
            .map(r -> r.cell(0))
            .toList());
  }

  /**
   * Fetches the packages and runs the programs.
   *
   * @param target of the device, for which the packages hold code
   * @param home folder where packages are unpacked
   * @param keep whether they stay on disk
   * @throws ToolchainException if a package cannot be had, or a program ends early
   */
  public static LlamaResult run(
      HipRuntime runtime,
      String target,
      PackageLock lock,
      PackageStore store,
      Path home,
      boolean keep,
      Duration limit,
      Consumer<String> progress)
      throws IOException, InterruptedException, ToolchainException {
    List<Path> preloads = runtime.preloads(progress);
    Map<String, String> environment = new TreeMap<>();
    runtime.locations(environment);
    environment.put("ROCPORT_GPU", target);
    try (PackageFolder folder = PackageFolder.of(packages(), lock, store, home, keep, progress);
        TemporaryFolder scratch = TemporaryFolder.create("rocport-llama")) {
      List<String> loading = Conformance.loading(folder, preloads);
      Programs programs =
          (name, arguments) -> {
            List<String> command = new ArrayList<>(loading);
            command.add(folder.root().resolve("usr/bin").resolve(name).toString());
            command.addAll(arguments);
            // ggml looks for backends in the current folder, too.
            Exec exec = Exec.of(command).in(folder.root().resolve(BACKENDS)).with(environment);
            Conformance.HOST_VARIABLES.forEach(exec.environment()::remove);
            return exec;
          };
      progress.accept("generating %d tokens on the processor and on the device".formatted(TOKENS));
      return new Llama(programs, scratch.path(), limit)
          .compare(version(folder.debs()), lock.differences(folder.debs()));
    }
  }

  /** The version of the tested library. */
  private static String version(List<Deb> debs) {
    return debs.stream()
        .filter(d -> d.name().equals(packages().packages().getFirst()))
        .map(d -> d.name() + " " + d.version())
        .findFirst()
        .orElse("");
  }

  /** Runs the programs on both sides. */
  LlamaResult compare(String version, List<String> notes)
      throws IOException, InterruptedException, ToolchainException {
    long start = System.nanoTime();
    Path model = work.resolve("tiny.gguf");
    TinyModel.write(model);
    String expected = text(model, PROCESSOR);
    if (expected.length() != PROMPT.length() + TOKENS) {
      throw new ToolchainException(
          "llama-completion on the processor has generated '%s' instead of %d letters after '%s'"
              .formatted(expected, TOKENS, PROMPT));
    }
    String actual = text(model, GPU);
    // After the same text, whatever the device has generated.
    float[] wanted = logits(model, PROCESSOR, expected);
    float[] found = logits(model, GPU, expected);
    if (wanted.length != found.length) {
      throw new ToolchainException(
          "llama-debug has written %d logits on the device and %d on the processor"
              .formatted(found.length, wanted.length));
    }
    return LlamaResult.of(
        version,
        notes,
        expected.substring(PROMPT.length()),
        actual.startsWith(PROMPT) ? actual.substring(PROMPT.length()) : actual,
        wanted,
        found,
        Duration.ofNanos(System.nanoTime() - start));
  }

  private String text(Path model, String device)
      throws IOException, InterruptedException, ToolchainException {
    List<String> arguments = new ArrayList<>(common(model, device, PROMPT));
    arguments.addAll(List.of("-no-cnv", "--temp", "0", "-n", "" + TOKENS));
    arguments.addAll(List.of("--simple-io", "--no-perf"));
    return run("llama-completion", arguments, device).strip();
  }

  private float[] logits(Path model, String device, String text)
      throws IOException, InterruptedException, ToolchainException {
    Path folder = Files.createDirectories(work.resolve(device));
    List<String> arguments = new ArrayList<>(common(model, device, text));
    arguments.addAll(List.of("--save-logits", "--logits-output-dir", folder.toString()));
    run("llama-debug", arguments, device);
    byte[] bytes = Files.readAllBytes(folder.resolve("llamacpp-tiny.bin"));
    FloatBuffer values = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    float[] logits = new float[values.remaining()];
    values.get(logits);
    return logits;
  }

  private static List<String> common(Path model, String device, String text) {
    List<String> arguments = new ArrayList<>(List.of("-m", model.toString(), "-p", text));
    arguments.addAll(List.of("--device", device, "-ngl", "99", "--no-warmup", "-lv", "5"));
    return arguments;
  }

  private String run(String program, List<String> arguments, String device)
      throws IOException, InterruptedException, ToolchainException {
    Exec.Outcome outcome = programs.program(program, arguments).limit(limit).run();
    String log = outcome.stderr() + outcome.stdout();
    if (!outcome.ok()) {
      List<String> lines = log.lines().filter(l -> !l.isBlank()).toList();
      throw new ToolchainException(
          "%s with --device %s %s:%n%s"
              .formatted(
                  program,
                  device,
                  outcome.timedOut() ? "takes too long" : "ends with exit code " + outcome.code(),
                  String.join("\n", lines.subList(Math.max(0, lines.size() - 6), lines.size()))
                      .indent(2)));
    }
    if (device.equals(GPU) && !isOffloaded(log)) {
      throw new ToolchainException(program + " has not put all layers of the model on the GPU");
    }
    return outcome.stdout();
  }

  /** Whether all layers are on the GPU, as the log has it. */
  private static boolean isOffloaded(String log) {
    Matcher line = OFFLOADED.matcher(log);
    boolean all = false;
    while (line.find()) {
      all = line.group(1).equals(line.group(2));
    }
    return all;
  }
}
