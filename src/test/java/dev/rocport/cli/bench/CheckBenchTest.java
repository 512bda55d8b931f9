package dev.rocport.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.support.ExitCode;
import dev.rocport.device.check.Check;
import dev.rocport.verify.BugTrial;
import dev.rocport.verify.MissedBugs;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CheckBenchTest {
  private static final MissedBugs KNOWN =
      new MissedBugs(List.of(new MissedBugs.Entry("known", "*", "bug", "why")));

  @Test
  void aBugThatIsMissedIsAFinding() {
    assertThat(code(trial("a", true, ""))).isEqualTo(ExitCode.OK);
    assertThat(code(trial("a", false, ""))).isEqualTo(ExitCode.FINDINGS);
    assertThat(code(trial("known", false, ""))).isEqualTo(ExitCode.OK);
  }

  @Test
  void aProgramThatDidNotRunIsAnErrorAlsoWhereItsBugIsAKnownMiss() {
    assertThat(code(trial("a", false, "no device"))).isEqualTo(ExitCode.TOOLCHAIN);
    assertThat(code(trial("known", false, "no device"))).isEqualTo(ExitCode.TOOLCHAIN);
    assertThat(code(trial("a", true, "the fixed program got no device")))
        .isEqualTo(ExitCode.TOOLCHAIN);
  }

  private static ExitCode code(BugTrial trial) {
    return CheckBench.exitCode(List.of(trial("b", true, ""), trial), KNOWN);
  }

  private static BugTrial trial(String name, boolean found, String unrun) {
    return new BugTrial(
        name,
        false,
        Check.RACE,
        "gfx90a",
        found ? List.of("race") : List.of(),
        List.of(),
        List.of(),
        "",
        unrun);
  }
}
