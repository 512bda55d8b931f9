package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --check race} where stores of the same bytes agree on the value, or do not. */
@Tag("device")
final class RaceNotesTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      #include <cstdio>
      #include <cstring>

      // all blocks store one value
      __global__ void agree(int* flag, int) {
        *flag = 1; // agree
      }
      // all blocks but the last one do
      __global__ void differ(int* flag, int last) {
        *flag = blockIdx.x == last ? 2 : 1; // differ
      }
      // all waves of a block do, in LDS
      __global__ void waves(int* flag, int last) {
        __shared__ volatile int any;
        any = last; // waves
        __syncthreads();
        if (threadIdx.x == 0) atomicAdd(flag, any);
      }
      // one block reads what others store
      __global__ void read(int* flag, int last) {
        if (blockIdx.x == last) flag[1] = flag[0]; // read
        else flag[0] = 1; // read
      }

      int main(int, char** argv) {
        struct { const char* name; void (*kernel)(int*, int); } cases[] = {
            {"agree", agree}, {"differ", differ}, {"waves", waves}, {"read", read}};
        int* flag;
        (void)hipMalloc(&flag, 8);
        (void)hipMemset(flag, 0, 8);
        for (auto& one : cases)
          if (std::strcmp(argv[1], one.name) == 0) one.kernel<<<8, 128>>>(flag, 7);
        (void)hipDeviceSynchronize();
        (void)hipFree(flag);
      }
      """;

  private static HipProgram program;

  @BeforeAll
  static void prepare(@TempDir Path folder) throws Exception {
    program =
        HipProgram.of(
            folder, "notes.hip", SOURCE, List.of("gfx90a", "gfx942"), List.of("-O2", "-g"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942"})
  void storesOfOneValueAreNotes(String target) throws Exception {
    try (DeviceProcess device =
        DeviceProcess.start("--gpu", target, "--memory", "256", "--check", "race")) {
      for (String name : List.of("agree", "waves")) {
        TestDevice.Run run = program.run(device, name);
        assertThat(run.err())
            .contains("rocport: benign race: ")
            .contains("the same value in this run")
            .contains(program.marked(name))
            .contains(": no findings, 1 note\n");
        assertThat(run.code()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942"})
  void otherValuesAndReadersAreDefects(String target) throws Exception {
    try (DeviceProcess device =
        DeviceProcess.start("--gpu", target, "--memory", "256", "--check", "race")) {
      for (String name : List.of("differ", "read")) {
        TestDevice.Run run = program.run(device, name);
        assertThat(run.err()).contains("rocport: race: ").contains(program.marked(name));
        assertThat(run.code()).isEqualTo(1);
      }
      assertThat(program.run(device, "differ").err()).contains(": 1 finding\n");
    }
  }
}
