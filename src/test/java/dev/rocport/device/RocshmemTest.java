package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Mpi;
import dev.rocport.toolchain.runtime.Rocshmem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The programs in {@code src/test/rocshmem}: every family of rocSHMEM's functions on several ranks,
 * with values, guards around them, parts of all PEs as teams. The quick profile has some types on
 * one GPU, the full profile all on both.
 */
@Tag("device")
final class RocshmemTest {
  private static final Path PROGRAMS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/rocshmem");
  private static final boolean FULL = TestProfile.isFull();
  private static final List<String> TARGETS =
      FULL ? List.of("gfx90a", "gfx942") : List.of("gfx942");
  private static final int GPUS = 4;
  private static final int SECONDS = FULL ? 900 : 120;

  private static final List<String> FAMILIES =
      List.of(
          "main.cpp",
          "puts.hip",
          "signals.hip",
          "atomics.hip",
          "waits.hip",
          "collectives.hip",
          "reductions.hip",
          "teams.hip",
          "streams.hip",
          "hosts.hip");

  @TempDir static Path folder;

  static Stream<Object[]> runs() {
    return TARGETS.stream()
        .flatMap(
            t -> (FULL ? Stream.of(1, 2, 3, 4) : Stream.of(2, 4)).map(n -> new Object[] {t, n}));
  }

  @ParameterizedTest
  @MethodSource("runs")
  void allFamiliesGiveTheRightValues(String target, int ranks) throws Exception {
    Path check = program(FAMILIES);

    TestDevice.Run run =
        TestDevice.run(target, GPUS, folder, SECONDS, List.of(check.toString(), "" + ranks));

    assertThat(run.code()).as(run.out() + run.err()).isZero();
    assertThat(run.out().lines()).hasSize(ranks).allMatch(l -> l.endsWith(" checks, 0 wrong"));
  }

  @Test
  void ranksOfMpirunComeTogetherByThemselves() throws Exception {
    Path check = program(FAMILIES);
    Mpi mpi = Mpi.require(ToolchainRequest.defaults(), System.err::println);
    Map<String, String> variables = new HashMap<>(System.getenv());
    mpi.into(variables);
    List<String> command = new ArrayList<>(List.of("env"));
    variables.forEach(
        (k, v) -> {
          if (!k.equals("LD_LIBRARY_PATH") && !v.equals(System.getenv(k))) {
            command.add(k + "=" + v);
          }
        });
    command.addAll(mpi.command(3, Map.of(), List.of(check.toString(), "0", "teams", "streams")));

    TestDevice.Run run = TestDevice.run(TARGETS.getLast(), GPUS, folder, SECONDS, command);

    assertThat(run.code()).as(run.out() + run.err()).isZero();
    assertThat(run.out().lines()).hasSize(3).allMatch(l -> l.endsWith(" checks, 0 wrong"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit", "die", "wrong"})
  void ranksEndWithAnyRank(String how) throws Exception {
    Path ends = program(List.of("ends.hip"));

    TestDevice.Run run =
        TestDevice.run(TARGETS.getLast(), GPUS, folder, 60, List.of(ends.toString(), how));

    switch (how) {
      case "exit" -> assertThat(run.out()).as(run.err()).isEqualTo("ended: code 7 code 7\n");
      case "die" -> {
        assertThat(run.out()).as(run.err()).isEqualTo("ended: signal 9 code 1\n");
        assertThat(run.err()).contains("PE 1 (process ").contains("has ended, so PE 0 ends, too");
      }
      default -> {
        assertThat(run.out())
            .as(run.err())
            .startsWith("rocport: rocshmem: the address is not in the symmetric heap")
            .endsWith("\nended: signal 6 code 1\n");
      }
    }
  }

  private static Path program(List<String> sources) throws Exception {
    Toolchain toolchain = TestToolchain.since("6.4");
    Rocshmem rocshmem = Rocshmem.of(toolchain);
    List<String> flags = new ArrayList<>(toolchain.hipCompile(TARGETS));
    flags.addAll(rocshmem.compile());
    flags.addAll(List.of("-c", "-std=c++17", "-O1", "-fgpu-rdc", "-Wno-deprecated-declarations"));
    if (!FULL) {
      flags.add("-DSAMPLE");
    }
    List<Callable<Path>> compiling = new ArrayList<>();
    for (String source : sources) {
      compiling.add(() -> TestCompiler.compile(PROGRAMS.resolve(source), flags).made());
    }
    List<Path> linked = new ArrayList<>();
    int processors = Runtime.getRuntime().availableProcessors();
    try (ExecutorService compilers = Executors.newFixedThreadPool(processors)) {
      for (Future<Path> object : compilers.invokeAll(compiling)) {
        linked.add(object.get());
      }
    }
    Path first = linked.removeFirst();
    linked.add(rocshmem.archive(System.err::println));
    List<String> link = new ArrayList<>(List.of("-O1"));
    linked.forEach(l -> link.add(l.toString()));
    link.addAll(toolchain.linkRelocatable(TARGETS));
    return TestCompiler.compile(first, link, linked.toArray(Path[]::new)).made();
  }
}
