package dev.rocport.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every seed and every find of {@code src/build/fuzz.sh} is read without a crash, and in time. */
final class FuzzSeedsTest {
  private static final Path SEEDS =
      Path.of(System.getProperty("rocport.home", "."), "src/test/fuzz");

  /** What is linear in its input takes milliseconds; the first ones load classes. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir Path scratch;

  @Test
  void everyFolderIsOfAKindOfFileWithSeeds() throws IOException {
    try (Stream<Path> folders = Files.list(SEEDS)) {
      assertThat(folders.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(UserFile.values()).map(UserFile::folder).toList());
    }
  }

  @TestFactory
  Stream<DynamicTest> everySeedIsReadOrRefused() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (UserFile kind : UserFile.values()) {
      try (Stream<Path> seeds = Files.list(SEEDS.resolve(kind.folder()))) {
        seeds
            .sorted()
            .forEach(
                s ->
                    tests.add(
                        DynamicTest.dynamicTest(
                            kind.folder() + "/" + s.getFileName(), () -> read(kind, s))));
      }
    }
    return tests.stream();
  }

  private void read(UserFile kind, Path seed) throws IOException {
    byte[] bytes = Files.readAllBytes(seed);
    Assertions.assertTimeoutPreemptively(LIMIT, () -> kind.read(bytes, scratch));
  }
}
