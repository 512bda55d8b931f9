package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.opentest4j.TestAbortedException;

/**
 * The programs in {@code src/test/kernels}: each computes on the device and on the host, compares,
 * and prints a checksum that must be the same at every optimization level and on every target. The
 * quick profile runs those marked so at -O0 on one target and at -O3 on the other; the full profile
 * runs all at all levels on all targets.
 *
 * <p>The first comment of a program has the expectations, then its purpose: {@code exact} results
 * or some within {@code ulp}s, or {@code expect: exit N}. Lines below it may say {@code targets:}
 * for programs that not all can run, and {@code text:} for a part of the output. Where there is a
 * file NAME.out, it is the whole of the standard output.
 */
@Tag("device")
final class KernelsTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final Path KERNELS = HOME.resolve("src/test/kernels");
  private static final boolean FULL = TestProfile.isFull();
  private static final List<String> LEVELS =
      FULL ? List.of("-O0", "-O1", "-O2", "-O3") : List.of("-O0", "-O3");
  private static final List<String> TARGETS = List.of("gfx90a", "gfx942");

  /** No contraction, so that host and device round alike. */
  private static final List<String> FLAGS =
      List.of("-std=c++17", "-ffp-contract=off", "-Wno-unused-result");

  private static final int RUN_SECONDS = 240;
  private static final Pattern FIRST =
      Pattern.compile("// (?:(quick )?(?:exact|ulp)|expect: exit (\\d+)): .+");
  private static final Pattern CHECKSUM =
      Pattern.compile("^checksum \\p{XDigit}{16}$", Pattern.MULTILINE);

  /** Programs with headers or instructions that gfx950 does not have: docs/limits.md. */
  private static final Set<String> NOT_ON_GFX950 =
      Set.of(
          "cub_test_util",
          "hipcub_block",
          "hipcub_warp",
          "mfma_gfx942",
          "rocthrust",
          "wmma_rdna",
          "swmmac_rdna",
          "buffers_rdna",
          "dot_mixed_signs");

  @TempDir static Path folder;

  private static ExecutorService compilers;

  @BeforeAll
  static void start() {
    compilers = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  }

  @AfterAll
  static void stop() {
    compilers.shutdownNow();
  }

  @TestFactory
  @Execution(ExecutionMode.CONCURRENT) // the last class to end should use all cores
  Stream<DynamicTest> everyKernelChecksItself() throws Exception {
    TestToolchain.since("6.4");
    List<Kernel> kernels =
        kernels().stream().filter(k -> TARGETS.containsAll(k.targets())).toList();
    assertThat(kernels).isNotEmpty();
    Map<Kernel, Map<String, Future<Path>>> programs = new TreeMap<>();
    for (Kernel kernel : kernels) {
      programs.put(kernel, compiling(kernel));
    }
    return programs.entrySet().stream()
        .map(
            e -> DynamicTest.dynamicTest(e.getKey().name(), () -> check(e.getKey(), e.getValue())));
  }

  /** Another compiler than for the other targets: all of them in the full profile only. */
  @TestFactory
  Stream<DynamicTest> everyKernelChecksItselfOnGfx950() throws Exception {
    List<Kernel> kernels =
        kernels().stream()
            .filter(k -> FULL || k.name().equals("integer_division"))
            .filter(k -> !NOT_ON_GFX950.contains(k.name()))
            .map(k -> k.on(List.of("gfx950")))
            .toList();
    return kernels.stream()
        .map(k -> DynamicTest.dynamicTest(k.name() + " gfx950", () -> check(k, compiling(k))));
  }

  private static Map<String, Future<Path>> compiling(Kernel kernel) {
    Map<String, Future<Path>> byLevel = new TreeMap<>();
    for (String level : LEVELS) {
      Callable<Path> compiling = () -> compile(kernel, level);
      byLevel.put(level, compilers.submit(compiling));
    }
    return byLevel;
  }

  private static void check(Kernel kernel, Map<String, Future<Path>> programs) throws Exception {
    Map<String, String> checksums = new TreeMap<>();
    for (Map.Entry<String, Future<Path>> program : programs.entrySet()) {
      for (String target : kernel.targets(program.getKey())) {
        String where = kernel.name() + " " + program.getKey() + " " + target;
        TestDevice.Run run =
            TestDevice.run(
                target, folder, RUN_SECONDS, List.of(compiled(program.getValue()).toString()));
        assertThat(run.code()).as(where + "\n" + run.out() + run.err()).isEqualTo(kernel.exit());
        assertThat(run.out() + run.err()).as(where).contains(kernel.texts());
        if (kernel.output() != null) {
          assertThat(run.out()).as(where).isEqualTo(kernel.output());
        }
        Matcher checksum = CHECKSUM.matcher(run.out());
        assertThat(checksum.find()).as(where + " prints a checksum").isEqualTo(kernel.exit() == 0);
        checksums.put(where, kernel.exit() == 0 ? checksum.group() : "none");
      }
    }
    assertThat(checksums.values().stream().distinct()).as(checksums.toString()).hasSize(1);
  }

  private static Path compiled(Future<Path> program) throws Exception {
    try {
      return program.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TestAbortedException skipped) {
        throw skipped; // no compiler for the target
      }
      throw new AssertionError(e.getCause().getMessage(), e.getCause());
    }
  }

  private static Path compile(Kernel kernel, String level) throws Exception {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add(level);
    return TestCompiler.program(kernel.source(), kernel.targets(level), flags);
  }

  private static List<Kernel> kernels() throws IOException {
    List<Kernel> kernels = new ArrayList<>();
    try (Stream<Path> files = Files.list(KERNELS)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".hip")).sorted().toList()) {
        Kernel kernel = Kernel.read(file);
        if (FULL || kernel.quick()) {
          kernels.add(kernel);
        }
      }
    }
    return kernels;
  }

  /**
   * A program and its expectations.
   *
   * @param exit its status
   * @param texts parts of what it prints
   * @param output all that it prints to the standard output, or null
   */
  private record Kernel(
      String name,
      Path source,
      boolean quick,
      int exit,
      List<String> texts,
      List<String> targets,
      String output)
      implements Comparable<Kernel> {

    static Kernel read(Path source) throws IOException {
      List<String> lines = Files.readAllLines(source);
      Matcher first = FIRST.matcher(lines.getFirst());
      if (!first.matches()) {
        throw new AssertionError(source + ":1: does not say what is expected");
      }
      String name = source.getFileName().toString().replace(".hip", "");
      List<String> texts = new ArrayList<>();
      List<String> targets = TARGETS;
      for (String line : lines) {
        if (line.startsWith("// text: ")) {
          texts.add(line.substring("// text: ".length()));
        } else if (line.startsWith("// targets: ")) {
          targets = List.of(line.substring("// targets: ".length()).split(" "));
        }
      }
      int exit = first.group(2) == null ? 0 : Integer.parseInt(first.group(2));
      if (exit == 0) {
        texts.add("PASS");
      }
      Path output = source.resolveSibling(name + ".out");
      return new Kernel(
          name,
          source,
          first.group(1) != null,
          exit,
          texts,
          targets,
          Files.exists(output) ? Files.readString(output) : null);
    }

    Kernel on(List<String> others) {
      return new Kernel(name, source, quick, exit, texts, others, output);
    }

    /** Those that it runs on, compiled at a level. */
    List<String> targets(String level) {
      return targets.size() < TARGETS.size() ? targets : TestProfile.targets(LEVELS.indexOf(level));
    }

    @Override
    public int compareTo(Kernel other) {
      return name.compareTo(other.name);
    }
  }
}
