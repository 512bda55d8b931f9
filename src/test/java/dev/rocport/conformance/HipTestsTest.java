package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.InvalidFileException;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HipTestsTest {
  private static final String STEPS =
      """
      build build_tests: phony catch_tests/ABM/Add catch_tests/unit/event/EventTest catch_tests/unit/module/copy.code catch_tests/unit/module/helper
      build catch_tests/unit/event/EventTest: CXX_EXECUTABLE_LINKER__EventTest_ catch_tests/hipTestMain/CMakeFiles/Main_Object.dir/main.cc.o catch_tests/unit/event/CMakeFiles/EventTest.dir/a.cc.o | catch_tests/x
      build catch_tests/unit/module/helper: CXX_EXECUTABLE_LINKER__helper_ catch_tests/unit/module/CMakeFiles/helper.dir/h.cc.o
      build catch_tests/ABM/Add: CXX_EXECUTABLE_LINKER__Add_ catch_tests/hipTestMain/CMakeFiles/Main_Object.dir/main.cc.o catch_tests/ABM/CMakeFiles/Add.dir/a.cc.o
      """;

  @TempDir private Path folder;

  @Test
  void readsTheProgramsOfUnitTests() {
    assertThat(NinjaProgram.of(STEPS.lines()))
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.name()).isEqualTo("EventTest");
              assertThat(p.testObject())
                  .isEqualTo("catch_tests/unit/event/CMakeFiles/EventTest.dir/a.cc.o");
            });
  }

  @Test
  void readsWhatTheyConsistOf() {
    assertThat(NinjaProgram.targets(STEPS.lines(), Set.of()))
        .containsExactly(
            "catch_tests/unit/event/EventTest",
            "catch_tests/unit/module/copy.code",
            "catch_tests/unit/module/helper");
    assertThat(NinjaProgram.targets(STEPS.lines(), Set.of("event")))
        .containsExactly("catch_tests/unit/event/EventTest");
  }

  @Test
  void aSourceThatDoesNotCompileHasTheFirstErrorAsItsMessage() {
    String log =
        """
        [1/4] Building CXX object a.cc.o
        FAILED: catch_tests/unit/event/CMakeFiles/EventTest.dir/sub/b.cc.o
        hipcc -c b.cc
        In file included from b.cc:1:
        b.h:7:3: error: unknown type name 'x'
        b.h:9:3: error: another
        [2/4] Building CXX object c.cc.o
        FAILED: catch_tests/unit/module/copy.code
        cd module && hipcc --genco
        clang++: no such file
        ninja: build stopped: cannot make progress due to previous errors.
        """;
    List<NinjaLog.Failure> failures = NinjaLog.failures(log.lines());
    assertThat(failures)
        .extracting(NinjaLog.Failure::source)
        .containsExactly("unit/event/sub/b.cc", "catch_tests/unit/module/copy.code");
    assertThat(failures)
        .extracting(NinjaLog.Failure::message)
        .containsExactly("b.h:7:3: error: unknown type name 'x'", "clang++: no such file");
  }

  @Test
  void aBuildWithoutFailuresHasNone() {
    assertThat(NinjaLog.failures(Stream.of("[1/1] Linking CXX executable a"))).isEmpty();
    assertThat(NinjaLog.failures(Stream.of())).isEmpty();
    assertThat(NinjaLog.step("[3/90] Linking")).contains("3 of 90");
    assertThat(NinjaLog.step("warning: [3/90]")).isEmpty();
  }

  @Test
  void namesOfDisabledTestsAreExpressions() throws IOException, ToolchainException {
    Path list = folder.resolve("list.json");
    Files.writeString(
        list,
        """
        {"Info": [1], "DisabledTests": ["a note", "Unit_a", "Unit_b*Basic", "Unit_(c"]}
        """);
    DisabledTests disabled = DisabledTests.read(list);
    assertThat(Stream.of("Unit_a", "Unit_b_1_Basic", "Unit_(c")).allMatch(disabled::contains);
    assertThat(Stream.of("Unit_a_1", "Unit_b_1_Basic_2", "Unit_c")).noneMatch(disabled::contains);
    Files.writeString(list, "{");
    assertThatThrownBy(() -> DisabledTests.read(list))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("not JSON");
  }

  @Test
  void foldersThatAreNoCheckoutAreRefusedWithTheReason() throws IOException {
    assertThatThrownBy(() -> Checkout.of(folder.resolve("none")))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("is not a folder");
    assertThatThrownBy(() -> Checkout.of(folder))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("not a checkout of ROCm/hip-tests: it has no catch/CMakeLists.txt");
    for (String file :
        List.of(
            "CMakeLists.txt",
            "unit/CMakeLists.txt",
            "hipTestMain/main.cc",
            "include/hip_test_common.hh",
            "external/picojson/picojson.h")) {
      Path made = folder.resolve("catch").resolve(file);
      Files.createDirectories(made.getParent());
      Files.writeString(made, "");
    }
    assertThatThrownBy(() -> Checkout.of(folder))
        .hasMessageContaining("is incomplete: it has no catch/external/Catch2/catch.hpp");
    Path header = folder.resolve("catch/external/Catch2/catch.hpp");
    Files.createDirectories(header.getParent());
    Files.writeString(header, "");
    assertThat(Checkout.of(folder)).isEqualTo(Checkout.of(folder.resolve("catch")));
  }
}
