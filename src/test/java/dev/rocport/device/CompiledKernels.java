package dev.rocport.device;

import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Compiles device code for tests of what reads it. */
public final class CompiledKernels {
  private CompiledKernels() {}

  /** The fat binary of a HIP source, for both targets. */
  public static byte[] compile(Path folder, String source, String... options) throws Exception {
    Toolchain toolchain = TestToolchain.get();
    Path in = Files.writeString(folder.resolve("kernel.hip"), source);
    Path out = folder.resolve("kernel.hipfb");
    List<String> command = new ArrayList<>();
    command.add(toolchain.clang().toString());
    command.addAll(toolchain.hipCompile(List.of("gfx90a", "gfx942")));
    command.addAll(List.of("--cuda-device-only", "-Wno-unused-value", "-O2"));
    command.addAll(List.of(options));
    command.addAll(List.of(in.toString(), "-o", out.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new AssertionError(Files.readString(folder.resolve("log")));
    }
    return Files.readAllBytes(out);
  }
}
