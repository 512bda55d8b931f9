package dev.rocport.cli.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.rocport.build.PortCheck;
import dev.rocport.build.check.CheckedUnit;
import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.rules.Changes;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CheckedPortTest {
  private static final Rule UNCHECKED = RuleCatalog.builtIn().require("PORT-UNCHECKED");

  @Test
  void noFindingIsLost() {
    List<FileResult> ported =
        Stream.of("CMakeLists.txt", "a.cu").map(CheckedPortTest::file).toList();
    CheckedUnit own = unit("a.hip", Changes.ofFile(UNCHECKED, "a.cu", "in the unit"));
    CheckedUnit header = unit("a.hip", Changes.ofFile(UNCHECKED, "hip/new.h", "in a new header"));
    CheckedUnit generated =
        new CheckedUnit("out/made.cu", Verdict.UNCHECKED, List.of(), "no lib.h");
    Finding build = Changes.ofFile(UNCHECKED, "out/CMakeLists.txt", "of a generated build");

    List<FileResult> results =
        CheckedPort.with(
            ported,
            new PortCheck.Checked(List.of(own, header, generated), List.of(build)),
            Map.of("a.cu", "a.hip"),
            UNCHECKED);

    assertThat(results)
        .extracting(FileResult::path, f -> f.findings().stream().map(Finding::message).toList())
        .containsExactly(
            tuple(
                "CMakeLists.txt",
                List.of("out/made.cu: not checked: no lib.h", "of a generated build")),
            tuple("a.cu", List.of("in the unit", "hip/new.h:0: in a new header")));
  }

  @Test
  void summaryNamesWhatWasNotChecked() {
    List<CheckedUnit> units =
        IntStream.range(0, 7)
            .mapToObj(i -> new CheckedUnit(i + ".cu", Verdict.UNCHECKED, List.of(), "no lib.h"))
            .toList();
    Finding build =
        Changes.ofFile(UNCHECKED, "CMakeLists.txt", "cmake failed with exit code 1: no FOO");

    assertThat(CheckedPort.summary(new PortCheck.Checked(units, List.of(build))))
        .endsWith(
            """
            ; 7 could not be checked
              CMakeLists.txt: cmake failed with exit code 1: no FOO; units that the build does not \
            compile were checked with flags from the files
              not checked: 0.cu: no lib.h
              not checked: 1.cu: no lib.h
              not checked: 2.cu: no lib.h
              not checked: 3.cu: no lib.h
              not checked: 4.cu: no lib.h
              not checked: and 2 more (PORT-UNCHECKED)\
            """);
  }

  private static CheckedUnit unit(String path, Finding finding) {
    return new CheckedUnit(path, Verdict.SILENT, List.of(finding), "");
  }

  private static FileResult file(String path) {
    return new FileResult(
        path, Status.PORTED, "cuda", 1, 1, Collections.emptySortedMap(), List.of(), "");
  }
}
