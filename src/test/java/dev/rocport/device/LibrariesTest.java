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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs in {@code src/test/libraries}: {@code NAME.hip} or {@code NAME_part.hip} compares
 * the results of the library {@code NAME} with its own arithmetic.
 */
@Tag("device")
final class LibrariesTest {
  private static final Path PROGRAMS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/libraries");
  private static final List<String> FLAGS =
      List.of("-std=c++17", "-O1", "-ffp-contract=off", "-Wno-deprecated-declarations");
  private static final int GPUS = 4;
  private static final int SECONDS = 240;

  @TempDir static Path folder;

  static List<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAMS)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.endsWith(".hip"))
          .map(f -> f.replace(".hip", ""))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void libraryComputesWhatTheProgramExpects(String name) throws Exception {
    TestToolchain.since("6.4");
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add("-l" + name.replaceFirst("_.*", ""));
    List<String> targets = TestProfile.targets(programs().indexOf(name));
    Path program = TestCompiler.program(PROGRAMS.resolve(name + ".hip"), targets, flags);

    for (String target : targets) {
      TestDevice.Run run =
          TestDevice.run(target, GPUS, folder, SECONDS, List.of(program.toString()));

      assertThat(run.code()).as(target + "\n" + run.out() + run.err()).isZero();
      assertThat(run.out()).as(target).endsWith("PASS\n");
    }
  }
}
