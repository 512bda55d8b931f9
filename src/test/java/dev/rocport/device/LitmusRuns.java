package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compiles litmus programs, and runs them on devices whose memory is adversarial. */
final class LitmusRuns {
  private static final Duration LIMIT = Duration.ofSeconds(300);

  /** Waves of 32 lanes have other waits and caches: in the full profile. */
  private static final List<String> NARROW = TestProfile.isFull() ? List.of("gfx1100") : List.of();

  private LitmusRuns() {}

  /** The targets of a test. */
  static List<String> targets() {
    return Stream.concat(TestProfile.targets(0).stream(), NARROW.stream()).toList();
  }

  /** Those of the test beside it, which knows what shows on CDNA where an order is missing. */
  static List<String> otherTargets() {
    return TestProfile.targets(1);
  }

  /** Two GPUs under {@code --check order}. */
  static DeviceProcess start(String target, int seed) throws Exception {
    TestToolchain.runtime(); // compiling it may take longer than a device waits for a program
    return DeviceProcess.start(
        "--gpu", target, "--gpus", "2", "--memory", "1024", "--check", "order=" + seed);
  }

  /** Compiles a source for all these targets, with the macros defined. */
  static void compile(Path source, List<String> macros, Path program) throws Exception {
    List<String> flags = new ArrayList<>(List.of("-O2"));
    macros.forEach(m -> flags.add("-D" + m));
    List<String> targets = Stream.concat(Stream.of("gfx90a", "gfx942"), NARROW.stream()).toList();
    Files.createSymbolicLink(program, HipProgram.compile(source, targets, flags));
  }

  /** The lines that a program prints. */
  static List<String> run(DeviceProcess device, List<String> command) throws Exception {
    Exec program = Exec.of(command).merged().limit(LIMIT);
    program.environment().put("ROCPORT_DEVICE", device.socket().toString());
    program.environment().put("LD_LIBRARY_PATH", TestToolchain.runtime().libraries().toString());
    Exec.Outcome run = program.run();
    assertThat(run.timedOut()).as(command + " runs on\n" + run.stdout()).isFalse();
    // Findings of the check make the exit code differ from 0.
    assertThat(run.stdout()).as(command.toString()).containsPattern(": .*\\w=\\d+");
    return run.stdout().lines().toList();
  }

  /** The outcomes that a line such as {@code 00=3 01=0} has counted. */
  static Set<String> outcomes(String counts) {
    return Arrays.stream(counts.split(" "))
        .filter(c -> !c.endsWith("=0"))
        .map(c -> c.substring(0, c.indexOf('=')))
        .collect(Collectors.toSet());
  }
}
