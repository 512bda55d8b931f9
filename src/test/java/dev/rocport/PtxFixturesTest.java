package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.Main;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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
 * Programs of inline PTX: every form over edge values, and whole kernels. Their ports give on both
 * targets the tensors that the originals gave on an NVIDIA GPU, bit for bit where the form is
 * exact. The quick profile has a fixed sample, the full profile all.
 */
@Tag("device")
final class PtxFixturesTest {
  private static final Path FIXTURES = Path.of("fixtures/ptx");
  private static final Set<String> QUICK = Set.of("copies", "operands", "warp");

  @TempDir static Path folder;

  @BeforeAll
  static void toolchain() throws Exception {
    TestToolchain.get();
  }

  @TestFactory
  Stream<DynamicTest> everyProgramGivesWhatTheOriginalGave() throws IOException {
    List<String> fixtures = fixtures();
    return IntStream.range(0, fixtures.size())
        .mapToObj(
            i ->
                DynamicTest.dynamicTest(
                    fixtures.get(i), () -> isVerified(fixtures.get(i), TestProfile.targets(i))));
  }

  private static List<String> fixtures() throws IOException {
    boolean full = TestProfile.isFull();
    try (Stream<Path> list = Files.list(FIXTURES)) {
      return list.filter(p -> Files.exists(p.resolve("golden/stdout.txt")))
          .map(p -> p.getFileName().toString())
          .filter(n -> full || QUICK.contains(n))
          .sorted()
          .toList();
    }
  }

  private static void isVerified(String fixture, List<String> targets) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(err),
            "verify",
            FIXTURES.resolve(fixture).toString(),
            "--target",
            String.join(",", targets),
            "--device",
            "emulated",
            "--work",
            folder.resolve(fixture).toString());
    assertThat(code).as(fixture + "\n" + out + err).isZero();
    // A recording without tensors holds only the output of the program.
    boolean tensors = Files.isDirectory(FIXTURES.resolve(fixture).resolve("golden/default"));
    assertThat(out.toString())
        .as("comparison of " + fixture)
        .contains(tensors ? "compared, 0 differ" : "stdout same");
  }
}
