package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.DeviceProcess;
import dev.rocport.device.check.Checks;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.TargetToolchains;
import dev.rocport.verify.BugTrial;
import dev.rocport.verify.BugTrials;
import dev.rocport.verify.MissedBugs;
import dev.rocport.verify.VerifyOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

  /** The code for gfx942 beside that for gfx1100 tells the scopes of atomics. */
  private static final List<List<String>> NARROW =
      List.of(List.of("gfx1100", "gfx942"), List.of("gfx1201"));

  /** Of each check that knows RDNA, one in the quick profile. */
  private static final List<String> QUICK_NARROW =
      List.of("halo_not_filled", "missing_syncthreads_in_scan", "shuffle_in_partial_branch");

  private static List<BugTrial> trials = List.of();

  private static MissedBugs missed = new MissedBugs(List.of());

  @TempDir static Path folder;

  @BeforeAll
  static void tryThem() throws Exception {
    missed = MissedBugs.of(Path.of("fixtures/checks"));
    boolean full = TestProfile.isFull();
    Predicate<String> chosen = full ? name -> true : QUICK::contains;
    List<String> targets = TestProfile.targets(0);
    List<BugTrial> all = new ArrayList<>(trials("wide", targets, "all=1", chosen));
    assertThat(all).hasSizeGreaterThanOrEqualTo(targets.size() * QUICK.size());
    Predicate<String> narrowChosen = full ? name -> true : QUICK_NARROW::contains;
    for (List<String> targets32 : full ? NARROW : NARROW.subList(0, 1)) {
      GfxTarget first = new GfxTarget(targets32.getFirst());
      if (!TestToolchain.compiles(toolchain(targets32), first)) {
        continue; // its compiler is not installed
      }
      List<BugTrial> narrow =
          trials(
              targets32.getFirst(), targets32, full ? "all=1" : "uninit,race,sync", narrowChosen);
      assertThat(narrow).hasSizeGreaterThanOrEqualTo(targets32.size());
      narrow.stream().filter(t -> t.target().startsWith("gfx1")).forEach(all::add);
    }
    trials = List.copyOf(all);
  }

  private static List<BugTrial> trials(
      String work, List<String> targets, String checks, Predicate<String> chosen) throws Exception {
    return trials(Path.of("fixtures/checks"), work, targets, checks, chosen);
  }

  private static List<BugTrial> trials(
      Path programs, String work, List<String> targets, String checks, Predicate<String> chosen)
      throws Exception {
    Path in = Files.createDirectories(folder.toRealPath().resolve(work));
    return BugTrials.run(
        programs,
        chosen,
        Checks.parse(checks, 1),
        VerifyOptions.emulated(
            targets, TestProfile.isFull(), 2, Optional.empty(), in, DeviceProcess.java()),
        RuleCatalog.builtIn(),
        toolchain(targets),
        ToolchainRequest.defaults(),
        line -> {});
  }

  private static Toolchain toolchain(List<String> targets) throws Exception {
    return TargetToolchains.installed(TestToolchain.get(), targets, ToolchainRequest.defaults());
  }

  /** A run that says nothing of the checks is not a bug that they miss. */
  @Test
  void aProgramThatDoesNotRunIsNoMiss() throws Exception {
    Path programs = Files.createDirectories(folder.toRealPath().resolve("idle/order"));
    Files.writeString(
        programs.resolve("no_gpu.hip"),
        """
        #include <hip/hip_runtime.h>
        #include <cstdio>
        int main() {
          int count = 0;
          if (hipGetDeviceCount(&count) == hipSuccess && count > 64) return 0;  // finding: order
          std::printf("needs 65 GPUs\\n");
          return 77;
        }
        """);
    Files.writeString(
        programs.resolve("no_device.hip"),
        """
        #include <hip/hip_runtime.h>
        #include <cstdio>
        #include <cstdlib>
        int main() {
          setenv("ROCPORT_DEVICE", "/nowhere", 1);
          int count = 0;
          hipError_t error = hipGetDeviceCount(&count);
          std::printf("%s\\n", hipGetErrorString(error));  // finding: order
          return 1;
        }
        """);
    List<String> targets = TestProfile.targets(0).subList(0, 1);
    List<BugTrial> idle =
        trials(programs.getParent(), "idle-work", targets, "order=1", name -> true);

    assertThat(idle).hasSize(2).noneMatch(BugTrial::ran);
    assertThat(idle.get(0).unrun()).contains("exit code 1", "no device listens", "with the bug");
    assertThat(idle.get(1).unrun()).contains("exit code 77", "needs 65 GPUs");
  }

  /** A line that names a program or a target which does not exist would hide nothing. */
  @Test
  void whatIsMissedExists() throws Exception {
    assertThat(missed.entries()).isNotEmpty();
    for (MissedBugs.Entry m : missed.entries()) {
      try (Stream<Path> files = Files.walk(Path.of("fixtures/checks"))) {
        assertThat(files.map(f -> f.getFileName().toString())).contains(m.name() + ".hip");
      }
      assertThat(m.targets()).isIn("*", "gfx90a", "gfx942", "gfx1100", "gfx1201");
      assertThat(m.what()).isIn("bug", "fixed");
    }
  }

  @TestFactory
  Stream<DynamicTest> theBugIsFoundAtItsLine() {
    return trials.stream()
        .filter(t -> missed.whyMissed(t).isEmpty())
        .map(
            t ->
                DynamicTest.dynamicTest(
                    t.name() + ", " + t.target(),
                    () ->
                        assertThat(t.ran() && t.isFound())
                            .as("%s; elsewhere: %s %s", t.check(), t.elsewhere(), t.unrun())
                            .isTrue()));
  }

  @TestFactory
  Stream<DynamicTest> nothingIsFoundInTheMendedProgram() {
    return trials.stream()
        .filter(t -> missed.whyReported(t).isEmpty())
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
