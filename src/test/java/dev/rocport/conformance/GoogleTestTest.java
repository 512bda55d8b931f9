package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoogleTestTest {
  private static final class Seen implements TestLog.Events {
    private final List<String> events = new ArrayList<>();

    @Override
    public void begun(String name) {
      events.add("begun " + name);
    }

    @Override
    public void ended(String name, Verdict verdict) {
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
    assertThat(Form.GTEST.names(output))
        .containsExactly("basic_tests.version_test", "basic/all_tests.create_test/0");
  }

  @Test
  void readsWhatBecomesOfTests() {
    Seen seen = new Seen();
    TestLog log = Form.GTEST.log(List.of());
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
}
