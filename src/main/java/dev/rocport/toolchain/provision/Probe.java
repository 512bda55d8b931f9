package dev.rocport.toolchain.provision;

import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.GpuTargets;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tests the capabilities of a compiler and its headers. */
public final class Probe {
  private static final String KERNEL =
      """
      #include <hip/hip_runtime.h>
      #include <cmath>
      #include <vector>
      __global__ void probe(float *out, int n) {
        __shared__ float part[64];
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        part[threadIdx.x & 63] = i < n ? sinf(out[i]) + expf(out[i]) : 0.0f;
        __syncthreads();
        if (i < n) atomicAdd(&out[i], part[(threadIdx.x + 1) & 63]);
      }
      int main() {
        std::vector<float> host(64, 1.0f);
        float *device = nullptr;
        if (hipMalloc(&device, host.size() * sizeof(float)) != hipSuccess) return 1;
        probe<<<1, 64>>>(device, (int)host.size());
        return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
      }
      """;

  private static final String HOST =
      """
      #include <cstdio>
      #include <string>
      #include <vector>
      int main() { std::vector<std::string> v{"a"}; std::puts(v[0].c_str()); return 0; }
      """;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final Path scratch;

  Probe(Path scratch) throws IOException {
    this.scratch = Files.createDirectories(scratch);
  }

  /** Whether a plain C++ program can be compiled and linked; empty when it can, else why not. */
  Optional<String> host(Clang clang, Optional<Path> sysroot) throws IOException {
    Path source = Files.writeString(scratch.resolve("host.cpp"), HOST);
    List<String> command = new ArrayList<>(List.of(clang.driver().toString(), "-fuse-ld=lld"));
    sysroot.ifPresent(s -> command.add("--sysroot=" + s));
    command.addAll(List.of("-o", scratch.resolve("host.out").toString(), source.toString()));
    return failure(command);
  }

  /**
   * The targets that a kernel with its host side can be compiled for.
   *
   * @throws ToolchainException when a required target cannot; it has the compiler's output
   */
  List<GfxTarget> targets(Toolchain toolchain) throws IOException, ToolchainException {
    Optional<String> failure = compile(toolchain, GpuTargets.REQUIRED);
    if (failure.isPresent()) {
      throw new ToolchainException(
          "%s with the HIP headers in %s and the device libraries in %s cannot compile a kernel:\n%s"
              .formatted(
                  toolchain.clang(), toolchain.include(), toolchain.deviceLibs(), failure.get()));
    }
    List<GfxTarget> known = new ArrayList<>(GpuTargets.REQUIRED);
    for (GfxTarget target : GpuTargets.OPTIONAL) {
      if (compile(toolchain, List.of(target)).isEmpty()) {
        known.add(target);
      }
    }
    return known.stream().sorted().toList();
  }

  private Optional<String> compile(Toolchain toolchain, List<GfxTarget> targets)
      throws IOException {
    Path source = Files.writeString(scratch.resolve("probe.hip"), KERNEL);
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(toolchain.hipCompile(targets.stream().map(GfxTarget::id).toList()));
    command.addAll(List.of("-O1", "-c", "-o", object(targets), source.toString()));
    return failure(command);
  }

  /**
   * Links the kernel that {@link #targets} compiled with every library there is.
   *
   * @throws ToolchainException when that fails; it has the linker's output
   */
  void link(Toolchain toolchain) throws IOException, ToolchainException {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    String object = object(GpuTargets.REQUIRED);
    command.addAll(List.of("-o", scratch.resolve("probe.out").toString(), object));
    command.addAll(toolchain.link());
    toolchain.libraries().forEach(l -> command.add("-l" + l.linkName()));
    Optional<String> failure = failure(command);
    if (failure.isPresent()) {
      throw new ToolchainException("a compiled kernel cannot be linked:\n" + failure.get());
    }
  }

  private String object(List<GfxTarget> targets) {
    return scratch.resolve("probe-" + targets.getFirst() + ".o").toString();
  }

  private Optional<String> failure(List<String> command) throws IOException {
    ToolRun run = ToolRun.of(command, scratch, Map.of(), LIMIT);
    return run.ok() ? Optional.empty() : Optional.of(run.tail(12));
  }
}
