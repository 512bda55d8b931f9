package dev.rocport.build.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.run.UnitResult.Status;
import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
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

class NamedSourcesTest {
  @TempDir private Path root;
  private final List<FileResult> files = new ArrayList<>();

  private void file(String name, String language, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
    files.add(
        new FileResult(
            name, FileResult.Status.PORTED, language, 1, 1, new TreeMap<>(), List.of(), ""));
  }

  private NamedSources sources() {
    return new NamedSources(root, files, UnaryOperator.identity(), UnaryOperator.identity());
  }

  private static Finding error(String rule, String message) {
    return new Finding(
        rule, Severity.ERROR, Disposition.UNPORTED, "old/a.cu", 3, 1, 3, 2, message, "", "", "f");
  }

  private Verdict verdict() throws IOException {
    List<Finding> errors = List.of(error("PORT-CHECK", "expected expression"));
    return sources().of(new CheckedUnit("old/a.cu", Verdict.SILENT, errors, "")).verdict();
  }

  private void tree() throws IOException {
    file("src/b.cu", "cuda", "");
    file("old/a.cu", "cuda", "");
    file("src/Makefile", "build", "prog: b.cu\n\tnvcc -o $@ b.cu\n");
  }

  @Test
  void aSourceThatNoFileNamesIsNotChecked() throws IOException {
    tree();
    List<Finding> errors = List.of(error("PORT-CHECK", "expected expression"));

    CheckedUnit unit = sources().of(new CheckedUnit("old/a.cu", Verdict.SILENT, errors, ""));

    assertThat(unit.verdict()).isEqualTo(Verdict.UNCHECKED);
    assertThat(unit.reason())
        .isEqualTo(
            "no build of the tree compiles it: no file names it, as others are named; compiled"
                + " alone: errors, such as old/a.cu:3: expected expression");
  }

  @Test
  void aTreeWithoutABuildIsChecked() throws IOException {
    file("old/a.cu", "cuda", "");
    file("b.cu", "cuda", "");
    file("README", "other", "Examples.\n");

    assertThat(verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aSourceThatAnyFileNamesIsChecked() throws IOException {
    tree();
    file("README.md", "other", "Compile it with `nvcc old/a.cu`.\n");

    assertThat(verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aPatternThatMayStandForASourceNamesIt() throws IOException {
    tree();
    file("CMakeLists.txt", "build", "file(GLOB SOURCES old/*.cu)\n");
    assertThat(verdict()).isEqualTo(Verdict.SILENT);

    files.removeLast();
    file("CMakeLists.txt", "build", "file(GLOB SOURCES src/*.cu)\nadd_library(c ${SOURCES})\n");
    assertThat(verdict()).isEqualTo(Verdict.UNCHECKED);

    files.removeLast();
    file("CMakeLists.txt", "build", "file(GLOB SOURCES ${TOP}/*.cu)\n");
    assertThat(verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aMakefileBesideASourceNamesIt() throws IOException {
    tree();
    file("old/Makefile", "build", "%: %.cu\n\tnvcc -o $@ $<\n");

    assertThat(verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void errorsOfTheHostDoNotCountIfOnlyTheDeviceSideIsCompiled() throws IOException {
    file("old/a.cu", "cuda", "__global__ void k() {}\n");
    file("old/Makefile", "build", "NVCC_FLAGS = --fatbin\nOBJS = a.fatbin\n");
    Unit unit =
        new Unit("old/a.cu", "old/a.cu", root, Language.HIP, List.of(), false, Path.of("/a.o"));
    List<Finding> host =
        List.of(error("BUILD-ERROR", "use of undeclared identifier 'x' (for host)"));
    UnitResult failed =
        new UnitResult(
            unit, Status.FAILED, 0, new TreeMap<>(), new TreeMap<>(), 0, host, "it failed");

    assertThat(sources().withoutHost(failed).ok()).isTrue();

    List<Finding> both = new ArrayList<>(host);
    both.add(error("BUILD-ERROR", "expected expression"));
    assertThat(sources().withoutHost(failed.with(both)).findings())
        .extracting(Finding::message)
        .containsExactly("expected expression");

    files.removeLast();
    file("old/Makefile", "build", "OBJS = a.o\nall:\n\tnvcc -c a.cu\n\tnvcc --fatbin a.cu\n");
    assertThat(sources().withoutHost(failed).ok()).isFalse();
  }
}
