package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code rocport verify} says of programs whose recordings hold tensors, or that run as
 * several ranks. Programs of inline PTX: every form over edge values, and whole kernels; their
 * ports give on both targets the tensors that the originals gave on an NVIDIA GPU, bit for bit
 * where the form is exact. Programs of MPI: what a verification without {@code --full} runs, and
 * all runs of those that take minutes at most. The quick profile has a fixed sample of the PTX, the
 * full profile all.
 */
@Tag("device")
final class VerifiedFixturesTest {
  private static final Path FIXTURES = Path.of("fixtures");
  private static final Set<String> QUICK = Set.of("copies", "warp");

  /** All its runs take more than a quarter of an hour for both targets. */
  private static final String LONG = "allreduce";

  @TempDir static Path folder;

  @BeforeAll
  static void toolchain() throws Exception {
    TestToolchain.get();
  }

  @TestFactory
  Stream<DynamicTest> everyProgramGivesWhatTheOriginalGave() throws IOException {
    List<Path> fixtures = ptx();
    Stream<DynamicTest> ptx =
        IntStream.range(0, fixtures.size())
            .mapToObj(i -> test(fixtures.get(i), TestProfile.targets(i)));
    return TestProfile.isFull() ? Stream.concat(ptx, others()) : ptx;
  }

  private static Stream<DynamicTest> others() {
    return FixturesTest.VERIFIED.stream()
        .sorted()
        .map(
            n ->
                n.equals(LONG)
                    ? test(FIXTURES.resolve(n), TestProfile.targets(0))
                    : test(FIXTURES.resolve(n), TestProfile.targets(0), "--full"));
  }

  private static DynamicTest test(Path fixture, List<String> targets, String... more) {
    return DynamicTest.dynamicTest(
        fixture.getFileName().toString(), () -> isVerified(fixture, targets, more));
  }

  private static List<Path> ptx() throws IOException {
    boolean full = TestProfile.isFull();
    try (Stream<Path> list = Files.list(FIXTURES.resolve("ptx"))) {
      return list.filter(p -> Files.exists(p.resolve("golden/stdout.txt")))
          .filter(p -> full || QUICK.contains(p.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  private static void isVerified(Path fixture, List<String> targets, String... more) {
    String[] command = {
      "verify",
      fixture.toString(),
      "--target",
      String.join(",", targets),
      "--device",
      "emulated",
      "--work",
      folder.resolve(fixture.getFileName()).toString()
    };
    CommandLines lines =
        CommandLines.run(Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new));
    assertThat(lines.code()).as(fixture + "\n" + lines.out() + lines.err()).isZero();
    // A recording without tensors holds only the output of the program.
    boolean tensors = Files.isDirectory(fixture.resolve("golden/default"));
    assertThat(lines.out())
        .as("comparison of " + fixture)
        .contains(tensors ? "compared, 0 differ" : "stdout same");
  }
}
