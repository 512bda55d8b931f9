package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The programs in {@code src/test/kernels}: each computes on the device and on the host, compares,
 * and prints a checksum that must be the same at every optimization level and on every target. The
 * quick profile runs those marked so at two levels; the full profile runs all at all.
 *
 * <p>The first comment of a program says what it shows, after what is expected of it: {@code exact}
 * results or some within {@code ulp}s, or {@code expect: exit N}. Lines below it may say {@code
 * targets:} for programs that not all can run, and {@code text:} for a part of the output. Where
 * there is a file NAME.out, it is the whole of the standard output.
 */
@Tag("device")
final class KernelsTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final Path KERNELS = HOME.resolve("src/test/kernels");
  private static final Path CACHE = HOME.resolve("target/kernels");
  private static final boolean FULL = TestProfile.isFull();
  private static final List<String> LEVELS =
      FULL ? List.of("-O0", "-O1", "-O2", "-O3") : List.of("-O0", "-O3");
  private static final List<String> TARGETS = List.of("gfx90a", "gfx942");

  /** No contraction, so that host and device round alike. */
  private static final List<String> FLAGS =
      List.of("-std=c++17", "-ffp-contract=off", "-Wno-unused-result");

  private static final int COMPILE_SECONDS = 600;
  private static final int RUN_SECONDS = 240;
  private static final Pattern FIRST =
      Pattern.compile("// (?:(quick )?(?:exact|ulp)|expect: exit (\\d+)): .+");
  private static final Pattern INCLUDE = Pattern.compile("^#include \"(.+)\"", Pattern.MULTILINE);
  private static final Pattern CHECKSUM =
      Pattern.compile("^checksum \\p{XDigit}{16}$", Pattern.MULTILINE);

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
  Stream<DynamicTest> everyKernelChecksItself() throws Exception {
    TestToolchain.since("6.4");
    List<Kernel> kernels = kernels();
    assertThat(kernels).isNotEmpty();
    Map<Kernel, Map<String, Future<Path>>> programs = new TreeMap<>();
    for (Kernel kernel : kernels) {
      Map<String, Future<Path>> byLevel = new TreeMap<>();
      for (String level : LEVELS) {
        Callable<Path> compiling = () -> compile(kernel, level);
        byLevel.put(level, compilers.submit(compiling));
      }
      programs.put(kernel, byLevel);
    }
    return programs.entrySet().stream()
        .map(
            e -> DynamicTest.dynamicTest(e.getKey().name(), () -> check(e.getKey(), e.getValue())));
  }

  private static void check(Kernel kernel, Map<String, Future<Path>> programs) throws Exception {
    Map<String, String> checksums = new TreeMap<>();
    for (Map.Entry<String, Future<Path>> program : programs.entrySet()) {
      for (String target : kernel.targets()) {
        String where = kernel.name() + " " + program.getKey() + " " + target;
        TestDevice.Run run =
            TestDevice.run(
                target, CACHE, RUN_SECONDS, List.of(compiled(program.getValue()).toString()));
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
      throw new AssertionError(e.getCause().getMessage(), e.getCause());
    }
  }

  /** The program of a kernel, from the cache where the same was compiled before. */
  private static Path compile(Kernel kernel, String level) throws Exception {
    Toolchain toolchain = TestToolchain.get();
    List<String> command = new ArrayList<>();
    command.add(toolchain.clang().toString());
    command.addAll(toolchain.hipCompile(kernel.targets()));
    command.addAll(FLAGS);
    command.add(level);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(String.join(" ", command).getBytes(StandardCharsets.UTF_8));
    digest.update(toolchain.fingerprint().getBytes(StandardCharsets.UTF_8));
    for (Path file : withIncludes(kernel.source())) {
      digest.update(Files.readAllBytes(file));
    }
    String key = HexFormat.of().formatHex(digest.digest(), 0, 8);
    Path program = CACHE.resolve(kernel.name() + level + "-" + key);
    if (Files.exists(program)) {
      return program;
    }
    Files.createDirectories(CACHE);
    Path fresh = Files.createTempFile(CACHE, kernel.name(), ".tmp");
    Path log = Files.createTempFile(CACHE, kernel.name(), ".log");
    command.addAll(List.of(kernel.source().toString(), "-o", fresh.toString()));
    command.addAll(toolchain.link());
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS);
    if (!ended || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new AssertionError(kernel.name() + " " + level + "\n" + Files.readString(log));
    }
    Files.delete(log);
    return Files.move(fresh, program, StandardCopyOption.ATOMIC_MOVE);
  }

  /** A source and all files of this repository that it includes. */
  private static Set<Path> withIncludes(Path source) throws IOException {
    Set<Path> files = new LinkedHashSet<>();
    Deque<Path> open = new ArrayDeque<>(List.of(source.normalize()));
    while (!open.isEmpty()) {
      Path file = open.pop();
      if (files.add(file)) {
        Matcher include = INCLUDE.matcher(Files.readString(file));
        while (include.find()) {
          open.push(file.resolveSibling(include.group(1)).normalize());
        }
      }
    }
    return files;
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
   * A program and what is expected of it.
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

    @Override
    public int compareTo(Kernel other) {
      return name.compareTo(other.name);
    }
  }
}
