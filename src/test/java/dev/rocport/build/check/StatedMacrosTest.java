package dev.rocport.build.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatedMacrosTest {
  @TempDir private Path root;

  private StatedMacros of(String cmake) {
    return new StatedMacros(
        root, CMakeDefinitions.of(Map.of("CMakeLists.txt", cmake), "gfx942", List.of()));
  }

  private void file(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
  }

  private static CheckedUnit silent() {
    Finding error =
        new Finding(
            "PORT-CHECK",
            Severity.ERROR,
            Disposition.UNPORTED,
            "a.cu",
            3,
            1,
            3,
            2,
            "expected expression",
            "",
            "",
            "f");
    return new CheckedUnit("a.cu", Verdict.SILENT, List.of(error), "");
  }

  @Test
  void namesWhatTheFilesOfAUnitUseAndDoNotDefine() throws IOException {
    file("a.cu", "#include \"b.h\"\nint a = WIDTH;\n#ifdef FAST\n#endif\n");
    file(
        "b.h",
        """
        #define DEPTH 2
        #ifndef RANK
        #define RANK 0
        #endif
        #define NAME(x) x##ARCH
        int b = DEPTH + RANK;
        """);
    StatedMacros stated =
        of("add_definitions(-DWIDTH=64 -DDEPTH=9 -DRANK=1 -DUNUSED -DARCH=gfx -DFAST)");

    assertThat(stated.defines("a.cu", Set.of("b.h")))
        .containsExactly("ARCH=gfx", "FAST=1", "RANK=1", "WIDTH=64");
  }

  @Test
  void aMacroThatIsOnlyInConditionsNeedsACertainCommand() throws IOException {
    file("a.cu", "#ifdef FAST\n#endif\nint a = WIDTH;\n");
    StatedMacros stated =
        of("if(Some_FOUND)\n  add_definitions(-DFAST)\n  add_definitions(-DWIDTH=8)\nendif()\n");

    assertThat(stated.defines("a.cu", Set.of())).containsExactly("WIDTH=8");
  }

  @Test
  void aUnitThatNeedsAValueThatIsNotKnownIsNotChecked() throws IOException {
    file("a.cu", "int a = WIDTH;\n");
    String cmake =
        "if(Some_FOUND)\n"
            + "  add_definitions(-DWIDTH=8)\n"
            + "else()\n"
            + "  add_definitions(-DWIDTH=4)\n"
            + "endif()\n";

    CheckedUnit unit = of(cmake).of(silent(), Set.of());

    assertThat(of(cmake).defines("a.cu", Set.of())).isEmpty();
    assertThat(unit.verdict()).isEqualTo(Verdict.UNCHECKED);
    assertThat(unit.reason())
        .isEqualTo(
            "it uses the macro WIDTH, whose value depends on the configuration of CMake; see"
                + " CMakeLists.txt:2, CMakeLists.txt:4; compiled alone: errors, such as a.cu:3:"
                + " expected expression");

    file("a.cu", "#ifndef WIDTH\n#define WIDTH 1\n#endif\nint a = WIDTH;\n");
    assertThat(of(cmake).of(silent(), Set.of()).verdict()).isEqualTo(Verdict.SILENT);
  }
}
