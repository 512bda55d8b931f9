package dev.rocport.lang.cuda.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels that cannot be split are unchanged and reported. */
final class KernelSplitTest {
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  private static final String KERNEL =
      """
      #include <nvshmemx.h>
      __global__ void move(float* out, const float* in, int64_t* offsets, int64_t* signals, int pes) {
        int bid = blockIdx.x;
        const int tid = threadIdx.x;
        __shared__ int64_t to[64];
        BEFORE
        nvshmemx_getmem_nbi_block(out + to[bid], in + offsets[bid], 64, bid);
        if (!bid && tid < pes) { LATE }
        AFTER
      }
      """;

  private static final String LAUNCH =
      """
      void run(void** args, int pes, cudaStream_t s) {
        nvshmemx_collective_launch((const void*)move, dim3(pes), dim3(256), args, 0, s);
      }
      """;

  private static final String WRITES = "offsets[tid] = to[tid];";

  private static String kernel(String before, String late, String after) {
    return KERNEL.replace("BEFORE", before).replace("LATE", late).replace("AFTER", after);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          to[tid] = atomicAdd(signals, 1);| offsets[tid] = to[tid];|| must not run twice
          nvshmem_getmem(to, signals, 8, 0);| offsets[tid] = to[tid];|| must not run twice
          signals[tid] = to[tid] = tid;| offsets[tid] = to[tid];|| must not run twice
          to[tid] = tid;| offsets[tid] = to[tid];| out[tid] = offsets[tid];| reads the data, so
          to[tid] = tid;| offsets[tid] = to[tid]; nvshmem_quiet();|| sends the data to other PEs
          """)
  void unclearKernelsAreReported(String before, String late, String after, String why) {
    String text = kernel(before, late, after == null ? "" : after) + LAUNCH;
    Changes changes = port(text);
    assertThat(changes.findings())
        .filteredOn(x -> x.rule().equals(KernelSplitPass.RULE))
        .singleElement()
        .satisfies(
            x -> {
              assertThat(x.disposition()).isEqualTo(Disposition.UNPORTED);
              assertThat(x.line()).isEqualTo(8);
              assertThat(x.message()).contains(why);
            });
    assertThat(text(changes)).doesNotContain("move_last");
  }

  @Test
  void aLaunchInsideAnotherStatementIsReported() {
    String kernel = kernel("to[tid] = tid;", WRITES, "");
    for (String launch :
        List.of(
            "",
            LAUNCH.replace("nvshmemx_coll", "return nvshmemx_coll"),
            LAUNCH.replace("nvshmemx_coll", "if (pes) nvshmemx_coll"),
            LAUNCH.replace("nvshmemx_coll", "int r = nvshmemx_coll"))) {
      Changes changes = port(kernel + launch);
      assertThat(changes.findings())
          .filteredOn(x -> x.rule().equals(KernelSplitPass.RULE))
          .extracting(Finding::disposition)
          .containsExactly(Disposition.UNPORTED);
      assertThat(text(changes)).doesNotContain("move_last");
    }
  }

  @Test
  void aPreprocessorBranchIsReported() {
    Changes changes = port(kernel("\n#ifdef FAST\nto[tid] = tid;\n#endif\n", WRITES, "") + LAUNCH);
    assertThat(changes.findings())
        .filteredOn(x -> x.rule().equals(KernelSplitPass.RULE))
        .extracting(Finding::message)
        .singleElement()
        .asString()
        .contains("a preprocessor directive");
  }

  /** The grid stays what it was where the numbers of blocks count. */
  @Test
  void everyLaunchGetsItsSecond() {
    String kernel = kernel("to[tid] = tid * gridDim.x;", WRITES, "");
    String more =
        LAUNCH.replace("run", "again") + "void go() { move<<<4, 64>>>(a, b, c, d, 4); }\n";
    assertThat(text(port(kernel + LAUNCH + more)))
        .contains(
            "hipLaunchCooperativeKernel((const void*)move_last, dim3(pes), dim3(256), args, 0, s);")
        .contains(
            "void go() { move<<<4, 64>>>(a, b, c, d, 4);\nmove_last<<<4, 64>>>(a, b, c, d, 4); }");
  }

  /** One block's writes that no other block reads stay where they are. */
  @Test
  void unreadValuesAreUnchanged() {
    Changes changes = port(kernel("to[tid] = tid;", "signals[tid] = to[tid];", "") + LAUNCH);
    assertThat(changes.findings()).noneMatch(x -> x.rule().equals(KernelSplitPass.RULE));
    assertThat(text(changes)).doesNotContain("move_last");
  }

  private static Changes port(String text) {
    SourceFile file = SourceFile.of("a.cu", text);
    ProjectIndex project = ProjectIndex.of(List.of(PORTER.scan(file)));
    return PORTER.port(file, project);
  }

  private static String text(Changes changes) {
    return new String(changes.edits().apply(changes.file().bytes()), StandardCharsets.UTF_8);
  }
}
