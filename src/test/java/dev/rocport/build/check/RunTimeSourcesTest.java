package dev.rocport.build.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTimeSourcesTest {
  private static final String KERNEL =
      "extern \"C\" __global__ void scale(REAL* p) { p[threadIdx.x] *= FACTOR; }\n";

  private static final String COMPILES =
      """
      #include <nvrtc.h>
      void compile(nvrtcProgram p) { nvrtcCompileProgram(p, 0, nullptr); }
      """;

  @TempDir private Path root;
  private final List<FileResult> files = new ArrayList<>();

  private void file(String path, String language, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    files.add(
        new FileResult(
            path,
            FileResult.Status.PORTED,
            language,
            text.length(),
            1,
            new TreeMap<>(),
            List.of(),
            ""));
  }

  /** Returns the verdict on a unit with an error that no finding explains. */
  private CheckedUnit checked(String path) throws IOException {
    Finding error =
        new Finding(
            Comparison.SILENT,
            Severity.ERROR,
            Disposition.UNPORTED,
            path,
            1,
            34,
            1,
            38,
            "unknown type name 'REAL'",
            "",
            "",
            "f");
    CheckedUnit unit = new CheckedUnit(path, Verdict.SILENT, List.of(error), "");
    return RunTimeSources.of(root, files, UnaryOperator.identity(), UnaryOperator.identity())
        .of(unit);
  }

  private void isRunTime(String path, String why) throws IOException {
    CheckedUnit unit = checked(path);
    assertThat(unit.verdict()).as(path).isEqualTo(Verdict.UNCHECKED);
    assertThat(unit.findings()).isEmpty();
    assertThat(unit.reason())
        .contains(why, "compiled alone: errors, such as ", ":1: unknown type name 'REAL'");
  }

  private void isUnit(String path) throws IOException {
    assertThat(checked(path).verdict()).as(path).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aProgramThatCallsNvrtcNamesTheSource() throws IOException {
    file("src/compile.cpp", "c++", COMPILES);
    file(
        "src/main.cpp",
        "c++",
        "#include \"kernels/other.cu\"\n// \"kernels/third.cu\"\n"
            + "const char* file = DIR \"/kernels/scale.cu\";\n");
    file("src/kernels/scale.cu", "cuda", KERNEL);
    file("src/kernels/other.cu", "cuda", KERNEL);
    file("src/kernels/third.cu", "cuda", KERNEL);

    isRunTime("src/kernels/scale.cu", "compiles it with hipRTC; src/main.cpp:3 names it");
    isUnit("src/kernels/other.cu");
    isUnit("src/kernels/third.cu");
  }

  @Test
  void noProgramCallsNvrtc() throws IOException {
    file("main.cpp", "c++", "const char* file = \"scale.cu\";\n");
    file("scale.cu", "cuda", KERNEL);

    isUnit("scale.cu");
  }

  @Test
  void aNameWithoutFolderIsThatOfTheNearestFile() throws IOException {
    file("a/main.py", "python", "import nvrtc\nnvrtcCompileProgram(open('scale.cu').read())\n");
    file("a/scale.cu", "cuda", KERNEL);
    file("b/scale.cu", "cuda", KERNEL);

    isRunTime("a/scale.cu", "a/main.py:2 names it");
    isUnit("b/scale.cu");
  }

  @Test
  void hostCodeIsNotCompiledAtRunTime() throws IOException {
    file("main.cpp", "c++", COMPILES + "const char* files[] = {\"a.cu\", \"b.cu\"};\n");
    file("a.cu", "cuda", KERNEL + "void all() { scale<<<1, 1>>>(nullptr); }\n");
    file("b.cu", "cuda", KERNEL + "int main() {}\n");

    isUnit("a.cu");
    isUnit("b.cu");
  }

  @Test
  void setupScriptsNameSourcesOfTheBuild() throws IOException {
    file("main.cpp", "c++", COMPILES);
    file("setup.py", "python", "setup(ext_modules=[Extension('e', ['scale.cu'])])\n");
    file("scale.cu", "cuda", KERNEL);

    isUnit("scale.cu");
  }

  @Test
  void makefilesTurnSourcesIntoText() throws IOException {
    file(
        "lib/Makefile",
        "build",
        """
        TEXTS = scale.cu \\
          deep/shift.cu
        %.h: %.cu
        \txxd -i $< > $@
        texts.h: $(TEXTS)
        \t$(BIN)/bin2c $^ > $@
        prog: built.o
        \tnvcc -o $@ $^
        """);
    file("lib/scale.cu", "cuda", KERNEL);
    file("lib/deep/shift.cu", "cuda", KERNEL);
    file("lib/built.cu", "cuda", KERNEL);
    file("other/built.cu", "cuda", KERNEL);

    isRunTime("lib/scale.cu", "the build puts its text into a program");
    isRunTime("lib/deep/shift.cu", "see lib/Makefile:5");
    isRunTime("lib/built.cu", "see lib/Makefile:3");
    isUnit("other/built.cu");
  }

  @Test
  void cmakeReadsSourcesThatAreListed() throws IOException {
    file(
        "CMakeLists.txt",
        "build",
        """
        set(KERNELS ${CMAKE_CURRENT_SOURCE_DIR}/kernels)
        file(GLOB TEXTS ${KERNELS}/*.cu)
        foreach(file ${TEXTS})
          file(STRINGS ${file} lines NEWLINE_CONSUME)
        endforeach()
        foreach(file IN LISTS UNITS)
          message(${file})
        endforeach()
        set(UNITS unit.cu)
        add_executable(prog ${UNITS} ${file})
        add_custom_command(OUTPUT table.h COMMAND xxd -i table.cu > table.h DEPENDS table.cu)
        include(cmake/text.cmake)
        text(one.cu NAMES two.cu ${CMAKE_SOURCE_DIR}/more/three.cu)
        """);
    file(
        "cmake/text.cmake",
        "build",
        """
        function(text first)
          cmake_parse_arguments(TEXT "" "" "NAMES" ${ARGN})
          file(READ ${first} content)
          foreach(name IN LISTS TEXT_NAMES)
            add_custom_command(OUTPUT ${name}.h
              COMMAND ${CMAKE_COMMAND} -DINPUT=${name} -P ${CMAKE_SOURCE_DIR}/cmake/convert.cmake)
          endforeach()
        endfunction()
        """);
    file("cmake/convert.cmake", "build", "file(READ ${INPUT} content HEX)\n");
    for (String name :
        List.of("kernels/a.cu", "table.cu", "one.cu", "two.cu", "more/three.cu", "unit.cu")) {
      file(name, "cuda", KERNEL);
    }
    file("b/a.cu", "cuda", KERNEL);

    isRunTime("kernels/a.cu", "see CMakeLists.txt:4");
    isRunTime("table.cu", "see CMakeLists.txt:11");
    isRunTime("one.cu", "see cmake/text.cmake:3");
    isRunTime("two.cu", "see cmake/convert.cmake:1");
    isRunTime("more/three.cu", "see cmake/convert.cmake:1");
    isUnit("unit.cu");
    isUnit("b/a.cu");
  }

  @Test
  void onlySourcesWithOpenErrorsAreLookedAt() {
    assertThat(RunTimeSources.mayHave(unit("a.cu", Verdict.COMPILES))).isFalse();
    assertThat(RunTimeSources.mayHave(unit("a.cu", Verdict.EXPLAINED))).isFalse();
    assertThat(RunTimeSources.mayHave(unit("a.cpp", Verdict.SILENT))).isFalse();
    assertThat(RunTimeSources.mayHave(unit("a.hip", Verdict.UNCHECKED))).isTrue();
  }

  private static CheckedUnit unit(String path, Verdict verdict) {
    return new CheckedUnit(path, verdict, List.of(), "");
  }
}
