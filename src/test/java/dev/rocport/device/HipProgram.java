package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of several cases, each run by its name. The lines of its source that a finding has to
 * name end in {@code // CASE}.
 */
record HipProgram(Path source, Path program, Path libraries) {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /**
   * Writes a source and compiles it.
   *
   * @param folder gets the source
   */
  static HipProgram of(
      Path folder, String name, String text, List<String> targets, List<String> flags)
      throws Exception {
    Path source = Files.writeString(folder.resolve(name), text);
    Path program = compile(source, targets, flags);
    return new HipProgram(source, program, TestToolchain.runtime().libraries());
  }

  /** Compiles a source as C++17; returns the program. */
  static Path compile(Path source, List<String> targets, List<String> flags) throws Exception {
    List<String> all = new ArrayList<>(List.of("-std=c++17"));
    all.addAll(flags);
    return TestCompiler.program(source, targets, all);
  }

  /** Runs a case. */
  TestDevice.Run run(DeviceProcess device, String name) throws Exception {
    Exec exec = Exec.of(List.of(program.toString(), name)).limit(LIMIT);
    exec.environment().keySet().removeIf(v -> v.startsWith("ROCPORT_"));
    exec.environment().put("LD_LIBRARY_PATH", libraries.toString());
    exec.environment().put("ROCPORT_DEVICE", device.socket().toString());
    Exec.Outcome run = exec.run();
    assertThat(run.timedOut()).as(name + " has not ended").isFalse();
    return new TestDevice.Run(run.code(), run.stdout(), run.stderr());
  }

  /** The places that a case marks, as findings name them; one at least. */
  List<String> marked(String name) throws Exception {
    List<String> lines = Files.readAllLines(source);
    List<String> marked = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith("// " + name)) {
        marked.add(source.getFileName() + ":" + (i + 1) + " ");
      }
    }
    assertThat(marked).as("lines marked " + name).isNotEmpty();
    return marked;
  }
}
