package dev.rocport.singlesource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.core.source.SourceFile;
import dev.rocport.singlesource.Isolation.Checked;
import dev.rocport.singlesource.Isolation.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each {@code NAME.old.cmake} of {@code src/test/goldens/isolation-cmake} is held against {@code
 * NAME.new.cmake}; {@code NAME.verdict} has the verdict, then the number of gates, or the lines of
 * the new and the old file that differ.
 */
final class CMakeIsolationTest {
  private static final Path FOLDER = Path.of("src/test/goldens/isolation-cmake");
  private static final Isolation ISOLATION = new Isolation(Set.of(Gates.MACRO, "MY_AMD"));

  @TestFactory
  Stream<DynamicTest> pairs() throws IOException {
    try (Stream<Path> list = Files.list(FOLDER)) {
      return list
          .map(p -> p.getFileName().toString())
          .filter(name -> name.endsWith(".old.cmake"))
          .map(name -> name.replace(".old.cmake", ""))
          .sorted()
          .toList()
          .stream()
          .flatMap(
              name ->
                  Stream.of(
                      DynamicTest.dynamicTest(name, () -> holds(name, t -> t)),
                      DynamicTest.dynamicTest(
                          name + " with CRLF", () -> holds(name, t -> t.replace("\n", "\r\n"))),
                      DynamicTest.dynamicTest(name + " against itself", () -> isTheSame(name))));
    }
  }

  private static void holds(String name, UnaryOperator<String> change) throws IOException {
    Checked c = ISOLATION.cmake(read(name + ".old", change), read(name + ".new", change));
    String said =
        switch (c.verdict()) {
          case GATED -> "GATED " + c.gates();
          case DIFFERS -> "DIFFERS " + c.line() + " " + c.oldLine();
          default -> c.verdict().name();
        };
    assertThat(said).isEqualTo(Files.readString(FOLDER.resolve(name + ".verdict")).strip());
  }

  /** Whatever a file holds, it is isolated from itself. */
  private static void isTheSame(String name) throws IOException {
    SourceFile file = read(name + ".new", t -> t);
    assertThat(ISOLATION.cmake(file, file).verdict()).isIn(Verdict.GATED, Verdict.UNKNOWN);
  }

  private static SourceFile read(String name, UnaryOperator<String> change) throws IOException {
    String text = Files.readString(FOLDER.resolve(name + ".cmake"), StandardCharsets.ISO_8859_1);
    return SourceFile.of("CMakeLists.txt", change.apply(text));
  }

  @Test
  void aFileOfEveryNameOfCMakesIsLookedAt() {
    assertThat(Stream.of("CMakeLists.txt", "a/cmake/FindX.cmake", "x.cmake.in"))
        .allMatch(BuildFileNames::isCMake);
    assertThat(Stream.of("CMakeLists.txt.bak", "cmake", "x.txt"))
        .noneMatch(BuildFileNames::isCMake);
  }
}
