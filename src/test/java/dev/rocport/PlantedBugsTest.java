package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.DeviceProcess;
import dev.rocport.device.check.Checks;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.verify.BugTrial;
import dev.rocport.verify.BugTrials;
import dev.rocport.verify.VerifyOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs with planted bugs, run under all checks at once: each bug is found at the line that is
 * marked in its source, and nothing is found in the same program without the bug. The quick profile
 * has two of each check, the full profile all.
 */
@Tag("device")
final class PlantedBugsTest {
  private static final List<String> QUICK =
      List.of(
          "counter_not_zeroed",
          "halo_not_filled",
          "missing_syncthreads_in_scan",
          "last_block_without_fence",
          "barriers_at_two_lines",
          "shuffle_in_partial_branch",
          "flag_without_release",
          "host_reads_before_copy_done");

  private static List<BugTrial> trials = List.of();

  @TempDir static Path folder;

  @BeforeAll
  static void tryThem() throws Exception {
    boolean full = TestProfile.isFull();
    Predicate<String> chosen = full ? name -> true : QUICK::contains;
    List<String> targets = TestProfile.targets(0);
    VerifyOptions options =
        VerifyOptions.emulated(
            targets, full, 2, Optional.empty(), folder.toRealPath(), DeviceProcess.java());
    trials =
        BugTrials.run(
            Path.of("fixtures/checks"),
            chosen,
            Checks.parse("all=1", 1),
            options,
            RuleCatalog.builtIn(),
            TestToolchain.get(),
            ToolchainRequest.defaults(),
            line -> {});
    assertThat(trials).hasSizeGreaterThanOrEqualTo(targets.size() * QUICK.size());
  }

  @TestFactory
  Stream<DynamicTest> theBugIsFoundAtItsLine() {
    return trials.stream()
        .map(
            t ->
                DynamicTest.dynamicTest(
                    t.name() + ", " + t.target(),
                    () ->
                        assertThat(t.isFound())
                            .as("%s; elsewhere: %s", t.check(), t.elsewhere())
                            .isTrue()));
  }

  @TestFactory
  Stream<DynamicTest> nothingIsFoundInTheMendedProgram() {
    return trials.stream()
        .map(
            t ->
                DynamicTest.dynamicTest(
                    t.name() + ", " + t.target(),
                    () -> {
                      assertThat(t.mended()).isEmpty();
                      assertThat(t.wrong()).isEmpty();
                    }));
  }
}
