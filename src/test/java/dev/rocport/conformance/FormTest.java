package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FormTest {
  private static final class Seen implements TestLog.Events {
    private final List<String> events = new ArrayList<>();

    @Override
    public void begun(String name) {
      events.add("begun " + name);
    }

    @Override
    public void ended(String name, Verdict verdict, String said) {
      events.add(verdict + " " + name);
    }
  }

  @Test
  void readsTheListOfTestsAmongOtherLines() {
    String output =
        """
        Running main() from ./googletest/src/gtest_main.cc
        Device ID 0: AMD Instinct MI210
        basic_tests.
          version_test
        basic/all_tests.  # TypeParam = float
          create_test/0  # GetParam() = 404
          DISABLED_create_test/1  # GetParam() = 405
        DISABLED_tests.
          one
        """;
    assertThat(Form.GTEST.names(output.lines()))
        .containsExactly("basic_tests.version_test", "basic/all_tests.create_test/0");
  }

  @Test
  void readsWhatBecomesOfTests() {
    Seen seen = new Seen();
    TestLog log = Form.GTEST.log();
    """
    [==========] Running 3 tests from 1 test suite.
    [ RUN      ] g.a
    [       OK ] g.a (5 ms)
    [ RUN      ] g.b/0
    b.cpp:3: Failure
    [  FAILED  ] g.b/0, where GetParam() = "x, y" (0 ms)
    [ RUN      ] g.c
    [  SKIPPED ] g.c (0 ms)
    [  PASSED  ] 1 test.
    [  FAILED  ] 1 test, listed below:
    """
        .lines()
        .forEach(line -> log.line(line, seen));
    // The last line looks like a test with the name 1, which was not asked for.
    assertThat(seen.events)
        .containsExactly(
            "begun g.a",
            "PASSED g.a",
            "begun g.b/0",
            "FAILED g.b/0",
            "begun g.c",
            "SKIPPED g.c",
            "FAILED 1");
  }

  @Test
  void catchCountsItsTestsInTheExitCodeOfAList() {
    List<String> names = Form.CATCH.names("Unit_a\nUnit_b - float\n\n".lines());
    assertThat(names).containsExactly("Unit_a", "Unit_b - float");
    assertThat(Form.CATCH.hasListed(2, names)).isTrue();
    assertThat(Form.CATCH.hasListed(139, names)).isFalse();
    List<String> many = IntStream.range(0, 300).mapToObj(i -> "Unit_" + i).toList();
    assertThat(Form.CATCH.hasListed(44, many)).isTrue();
    assertThat(Form.GTEST.hasListed(2, names)).isFalse();
    assertThat(Form.CATCH.running(List.of("Unit_a[x], y"))).containsExactly("Unit_a\\[x\\]\\, y");
  }

  @Test
  void readsTheOperationsThatABackendSupports() {
    String output =
        """
        "backend_name","op_name","op_params","test_mode","supported","error_message"
        "ROCm0","ADD","type=f16,ne=[1,2]","support","1","yes","ROCm"
        "ROCm0","ADD","type=f64,ne=[1,2]","support","0","no","ROCm"
        """;
    Form form = Form.of("backend-ops");
    assertThat(form.names(output.lines())).containsExactly("ADD(type=f16,ne=[1,2])");
    Seen seen = new Seen();
    TestLog log = form.log();
    log.begunLine("  ADD(type=f16,ne=[1,2]): ", seen);
    log.line("  ADD(type=f16,ne=[1,2]): \u001b[1;32mOK\u001b[0m", seen);
    log.line("  MUL(a=1): [MUL] NMSE = 2 > 1 \u001b[1;31mFAIL\u001b[0m", seen);
    log.line("  SUB(a=1): not supported [ROCm0] ", seen);
    log.line("  1/2 tests passed", seen);
    assertThat(seen.events)
        .containsExactly(
            "begun ADD(type=f16,ne=[1,2])",
            "PASSED ADD(type=f16,ne=[1,2])",
            "FAILED MUL(a=1)",
            "SKIPPED SUB(a=1)");
  }
}
