package dev.rocport.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.device.DeviceProcess;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.runtime.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A CUDA program that reads a kernel from a file and compiles it, ported, built, moved away from
 * the tree and run: the kernel includes rocport headers and a header of its own.
 */
@Tag("device")
class RunTimeSourceTest {
  private static final String PROGRAM =
      """
      #include <cuda.h>
      #include <nvrtc.h>
      #include <cstdio>
      #include <fstream>
      #include <iterator>
      #include <string>
      int main(int, char** arguments) {
        std::ifstream file(arguments[1]);
        std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        nvrtcProgram program;
        nvrtcCreateProgram(&program, text.c_str(), arguments[1], 0, nullptr, nullptr);
        const char* options[] = {"--gpu-architecture=compute_90"};
        nvrtcResult result = nvrtcCompileProgram(program, 1, options);
        size_t size = 0;
        nvrtcGetProgramLogSize(program, &size);
        std::string log(size, ' ');
        nvrtcGetProgramLog(program, &log[0]);
        if (result != NVRTC_SUCCESS) { std::puts(log.c_str()); return 1; }
        nvrtcGetPTXSize(program, &size);
        std::string code(size, ' ');
        nvrtcGetPTX(program, &code[0]);
        cuInit(0);
        CUdevice device;
        CUcontext context;
        CUmodule module;
        CUfunction function;
        CUdeviceptr memory;
        cuDeviceGet(&device, 0);
        cuDevicePrimaryCtxRetain(&context, device);
        cuCtxSetCurrent(context);
        cuModuleLoadData(&module, code.data());
        cuModuleGetFunction(&function, module, "sums");
        cuMemAlloc(&memory, 64 * sizeof(int));
        void* parameters[] = {&memory};
        cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr);
        int sums[64];
        cuMemcpyDtoH(sums, memory, sizeof sums);
        std::printf("%d %d\\n", sums[0], sums[32]);
      }
      """;

  private static final String KERNEL =
      """
      #include "sum.cuh"
      extern "C" __global__ void sums(int* out) { out[threadIdx.x] = sum(threadIdx.x); }
      """;

  private static final String HEADER =
      """
      #pragma once
      __device__ int sum(int value) {
        for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffff, value, step);
        return value;
      }
      """;

  @TempDir private Path folder;

  @Test
  void movedProgramFindsTheHeadersOfItsKernel() throws Exception {
    Path cuda = Files.createDirectories(folder.resolve("cuda/src/deep")).getParent().getParent();
    Files.writeString(cuda.resolve("src/deep/main.cpp"), PROGRAM);
    Files.writeString(cuda.resolve("src/deep/sums.cu"), KERNEL);
    Files.writeString(cuda.resolve("src/deep/sum.cuh"), HEADER);
    Files.writeString(
        cuda.resolve("Makefile"),
        "main: src/deep/main.cpp\n\tnvcc -O2 -o main src/deep/main.cpp -lnvrtc -lcuda\n");
    Path ported = folder.resolve("ported");
    assertThat(CommandLines.run("port", cuda + "", "--out", ported + "").code()).isZero();
    assertThat(Files.readString(ported.resolve("src/deep/sum.cuh"))).contains("rocport/");
    assertThat(CommandLines.run("build", ported + "", "--target", "gfx90a", "--no-cache"))
        .matches(r -> r.code() == 0, "builds");
    Path moved = Files.createDirectory(folder.resolve("moved"));
    Path program = Files.copy(ported.resolve("build-rocport/tree/main"), moved.resolve("main"));
    for (String name : List.of("sums.cu", "sum.cuh")) {
      Files.copy(ported.resolve("src/deep/" + name), moved.resolve(name));
    }

    try (DeviceProcess device =
        DeviceProcess.start("--gpus", "1", "--memory", "256", "--linger", "600")) {
      Exec run =
          Launch.single("gfx90a")
              .program(
                  List.of(program + "", moved.resolve("sums.cu") + ""),
                  Map.of(),
                  ToolchainRequest.defaults(),
                  System.err::println);
      run.environment().put("ROCPORT_DEVICE", device.socket().toString());
      assertThat(run.merged().run().stdout()).isEqualTo("496 1520\n");
    }
  }
}
