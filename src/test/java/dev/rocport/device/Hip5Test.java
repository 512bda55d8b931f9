package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are linked with the runtime under its name in HIP 5. */
@Tag("device")
final class Hip5Test {
  private static final String TARGET = "gfx90a";
  private static final int SECONDS = 60;

  /** Prints the numbers of kinds of memory, and whether a copy of host memory works. */
  private static final String PROGRAM =
      """
      #include <hip/hip_runtime_api.h>
      #include <cstdio>
      #include <cstdlib>
      int kind(void* memory) {
        hipPointerAttribute_t attributes = {};
        return hipPointerGetAttributes(&attributes, memory) == hipSuccess ? int(attributes.type) : -1;
      }
      int main(int, char** arguments) {
        void *device, *host;
        int own = 7;
        if (hipMalloc(&device, 64) != hipSuccess || hipHostMalloc(&host, 64, 0) != hipSuccess) return 1;
        hip_Memcpy2D copy = {};
        copy.srcMemoryType = static_cast<hipMemoryType>(atoi(arguments[1]));
        copy.srcHost = &own;
        copy.dstMemoryType = static_cast<hipMemoryType>(atoi(arguments[1]) + 1);
        copy.dstDevice = device;
        copy.srcPitch = copy.dstPitch = copy.WidthInBytes = sizeof own;
        copy.Height = 1;
        printf("%d %d %d %d\\n", kind(device), kind(host), kind(&own), hipMemcpyParam2D(&copy));
      }
      """;

  @TempDir Path folder;

  @Test
  void kindsOfMemoryHaveTheNumbersOfHip5() throws Exception {
    assertThat(printed("-Wl,--no-as-needed", "-l:libamdhip64.so.5", "0")).isEqualTo("1 0 -1 0\n");
  }

  @Test
  void otherProgramsGetThoseOfTheirHeaders() throws Exception {
    assertThat(printed("-Wl,--as-needed", "-lamdhip64", "1")).isEqualTo("2 1 0 0\n");
  }

  private String printed(String how, String library, String host) throws Exception {
    TestToolchain.since("6.4");
    Path lib = TestToolchain.runtime().libraries();
    HipProgram program =
        HipProgram.of(
            folder, "kinds.cpp", PROGRAM, List.of(TARGET), List.of("-L" + lib, how, library));
    TestDevice.Run run =
        TestDevice.run(TARGET, folder, SECONDS, List.of(program.program().toString(), host));
    assertThat(run.code()).as(run.out() + run.err()).isZero();
    return run.out();
  }
}
