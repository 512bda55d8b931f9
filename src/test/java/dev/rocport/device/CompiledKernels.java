package dev.rocport.device;

import dev.rocport.device.isa.Target;
import dev.rocport.toolchain.GpuTargets;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Compiles device code for tests of what reads it. */
public final class CompiledKernels {
  private CompiledKernels() {}

  /** The targets that {@link #compile} compiles for: those of the toolchain's own compiler. */
  public static Stream<Target> targets() {
    return GpuTargets.REQUIRED.stream().map(t -> Target.named(t.id()).orElseThrow());
  }

  /** The fat binary of a HIP source, for {@link #targets}. */
  public static byte[] compile(Path folder, String source, String... options) throws Exception {
    Path in = Files.writeString(folder.resolve("kernel.hip"), source);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(TestToolchain.get().hipCompile(targets().map(Target::arch).toList()));
    arguments.addAll(List.of("--cuda-device-only", "-Wno-unused-value", "-O2"));
    arguments.addAll(List.of(options));
    return Files.readAllBytes(TestCompiler.compile(in, arguments).made());
  }
}
