package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestToolchain;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Compiles litmus programs, and runs them on devices whose memory is adversarial. */
final class LitmusRuns {
  private static final int SECONDS = 300;

  private LitmusRuns() {}

  /** Two GPUs under {@code --check order}. */
  static DeviceProcess start(String target, int seed) throws Exception {
    TestToolchain.runtime(); // compiling it may take longer than a device waits for a program
    return DeviceProcess.start(
        "--gpu", target, "--gpus", "2", "--memory", "1024", "--check", "order=" + seed);
  }

  /** Compiles a source for both targets, with the macros defined. */
  static void compile(Path source, List<String> macros, Path program) throws Exception {
    List<String> flags = new ArrayList<>(List.of("-O2"));
    macros.forEach(m -> flags.add("-D" + m));
    Files.createSymbolicLink(
        program, HipProgram.compile(source, List.of("gfx90a", "gfx942"), flags));
  }

  /** The lines that a program prints. */
  static List<String> run(DeviceProcess device, List<String> command) throws Exception {
    Path out = Files.createTempFile("rocport-litmus", null);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .redirectInput(new File("/dev/null"));
    builder.environment().put("ROCPORT_DEVICE", device.socket().toString());
    builder.environment().put("LD_LIBRARY_PATH", TestToolchain.runtime().libraries().toString());
    Process process = builder.start();
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String text = Files.readString(out);
    Files.delete(out);
    assertThat(ended).as(command + " ends\n" + text).isTrue();
    assertThat(process.exitValue()).as(command + "\n" + text).isZero();
    return text.lines().toList();
  }

  /** The outcomes that a line such as {@code 00=3 01=0} has counted. */
  static Set<String> outcomes(String counts) {
    return Arrays.stream(counts.split(" "))
        .filter(c -> !c.endsWith("=0"))
        .map(c -> c.substring(0, c.indexOf('=')))
        .collect(Collectors.toSet());
  }
}
