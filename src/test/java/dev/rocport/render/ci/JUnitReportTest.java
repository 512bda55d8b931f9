package dev.rocport.render.ci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.render.Samples;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.maven.plugin.surefire.log.api.NullConsoleLogger;
import org.apache.maven.plugins.surefire.report.ReportTestCase;
import org.apache.maven.plugins.surefire.report.ReportTestSuite;
import org.apache.maven.plugins.surefire.report.TestSuiteXmlParser;
import org.junit.jupiter.api.Test;

/** JUnit XML as the reader of Maven's own reports takes it. */
class JUnitReportTest {
  private static List<ReportTestSuite> suites(Result result, Severity failOn) throws Exception {
    StringWriter out = new StringWriter();
    JUnitReport.write(result, new Gate(failOn).judge(result), out);
    return new TestSuiteXmlParser(new NullConsoleLogger())
        .parse(
            new InputStreamReader(
                new ByteArrayInputStream(out.toString().getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8));
  }

  private static List<ReportTestCase> cases(Result result, Severity failOn) throws Exception {
    return suites(result, failOn).stream().flatMap(s -> s.getTestCases().stream()).toList();
  }

  @Test
  void findingsThatFailTheRunAreFailures() throws Exception {
    List<ReportTestCase> failed =
        cases(Samples.result(), Severity.ERROR).stream()
            .filter(ReportTestCase::hasFailure)
            .toList();
    assertThat(failed).hasSize(1);
    assertThat(failed.getFirst().getName())
        .isEqualTo("lib/src/k.cu: asm volatile(\"bar.sync 1;\");");
    assertThat(failed.getFirst().getFullClassName()).isEqualTo("rocport.audit.PTX-INLINE");
    assertThat(failed.getFirst().getFailureMessage()).contains("\\u001b[31m");
  }

  @Test
  void suppressedAndKnownAreSkippedAndUnreadableIsAnError() throws Exception {
    List<ReportTestCase> all = cases(Samples.result(), Severity.NOTE);
    assertThat(all.stream().filter(ReportTestCase::hasSkipped).map(ReportTestCase::getName))
        .containsExactly("lib/src/k.cu: #if __CUDA_ARCH__ >= 300", "lib/src/k.cu: cuThing();");
    assertThat(all.stream().filter(ReportTestCase::hasError).map(ReportTestCase::getName))
        .containsExactly("src/secret.cu");
  }

  @Test
  void aCleanRunIsNotEmpty() throws Exception {
    assertThat(
            cases(Samples.result(), Severity.ERROR).stream()
                .filter(ReportTestCase::isSuccessful)
                .map(ReportTestCase::getName))
        .contains("src/main.cpp");
  }

  @Test
  void everyRunTensorAndFaultIsACase() throws Exception {
    VerifyInfo info =
        new VerifyInfo(
            "emulated",
            "",
            List.of(
                new VerifyInfo.Case(
                    "f", "r", "gfx90a", 2, "ok", Map.of("exit", "0"), List.of(), List.of(), ""),
                new VerifyInfo.Case(
                    "f", "r", "gfx942", 2, "failed", Map.of(), List.of(), List.of(), "lost")),
            List.of(),
            List.of(new VerifyInfo.Cell("f", "gfx90a", "k", "int", "sum", 3, 1, 3, 1, 2, 0, 0)),
            List.of(new VerifyInfo.Fault("f", "tail", true, "checks")));
    List<ReportTestCase> all = cases(Samples.result().with(info), Severity.ERROR);
    assertThat(all.stream().filter(ReportTestCase::hasFailure).map(ReportTestCase::getName))
        .contains("r on gfx942 on 2 ranks", "k int sum of 3 on gfx90a");
    assertThat(all.stream().filter(ReportTestCase::isSuccessful).map(ReportTestCase::getName))
        .contains("r on gfx90a on 2 ranks", "tail");
  }
}
