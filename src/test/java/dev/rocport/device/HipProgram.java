package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program of several cases, each run by its name. The lines of its source that a finding has to
 * name end in {@code // CASE}.
 */
record HipProgram(Path source, Path program, Path libraries) {
  private static final int SECONDS = 60;

  /**
   * Writes a source and compiles it.
   *
   * @param folder gets the source and what the program prints
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
    File out = source.resolveSibling(name + ".out").toFile();
    File err = source.resolveSibling(name + ".err").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(program.toString(), name).redirectOutput(out).redirectError(err);
    builder.environment().keySet().removeIf(v -> v.startsWith("ROCPORT_"));
    builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
    builder.environment().put("ROCPORT_DEVICE", device.socket().toString());
    Process process = builder.start();
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    assertThat(ended).as(name + " has not ended").isTrue();
    return new TestDevice.Run(
        process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
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
