package dev.rocport.cli.port;

import static dev.rocport.cli.port.PortRun.KERNEL;
import static dev.rocport.cli.port.PortRun.tree;
import static dev.rocport.cli.port.PortRun.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PortCommandTest {
  @TempDir Path dir;
  private Path in;
  private Path out;

  @BeforeEach
  void folders() {
    in = dir.resolve("in");
    out = dir.resolve("out");
  }

  @Test
  void portsIntoAFolderAndCopiesTheRestByteForByte() throws IOException {
    write(in.resolve("a/k.cu"), KERNEL);
    write(in.resolve("data.bin"), new byte[] {0, 1, 2, (byte) 0xff});
    Path script = write(in.resolve("run.sh"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
    PortRun run = PortRun.of("port", in, "--out", out);
    assertThat(run.code()).isZero();
    assertThat(out.resolve("a/k.cu")).content().contains("hipDeviceSynchronize");
    assertThat(out.resolve("data.bin")).hasSameBinaryContentAs(in.resolve("data.bin"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out.resolve("run.sh"))))
        .isEqualTo("rwxr-x---");
    assertThat(in.resolve("a/k.cu")).content().isEqualTo(KERNEL);
    assertThat(run.err()).contains("1 ported").contains("2 copied");
  }

  @Test
  void portsOneFileIntoAFolder() throws IOException {
    Path file = write(in.resolve("k.cu"), KERNEL);
    write(in.resolve("other.cu"), KERNEL);
    assertThat(PortRun.of("port", file, "--out", out).code()).isZero();
    assertThat(tree(out).keySet()).containsExactly("k.cu");
  }

  @Test
  void portsOneFileIntoAFileOfAnotherName() throws IOException {
    Path file = write(in.resolve("k.cu"), KERNEL);
    assertThat(PortRun.of("port", file, "--out", in.resolve("k.hip")).code()).isZero();
    assertThat(tree(in).keySet()).containsExactly("k.cu", "k.hip");
    assertThat(in.resolve("k.hip")).content().contains("hipDeviceSynchronize");
    assertThat(PortRun.of("port", file, "--out", in.resolve("k.hip")).err())
        .contains("1 up to date");
  }

  @Test
  void severalPathsKeepTheirPlaceBelowTheFolderThatHoldsThem() throws IOException {
    write(in.resolve("src/k.cu"), KERNEL);
    write(in.resolve("include/k.h"), "int k();\n");
    write(in.resolve("left.txt"), "x");
    PortRun.of("port", in.resolve("src"), in.resolve("include"), "--out", out);
    assertThat(tree(out).keySet()).containsExactly("include/k.h", "src/k.cu");
  }

  @Test
  void anUnchangedTreeIsNotPortedAgainAndKeepsItsFindings() throws IOException {
    write(in.resolve("k.cu"), KERNEL + "void f() { cudaNoSuchThing(); }\n");
    PortRun first = PortRun.of("port", in, "--out", out, "--fail-on", "warning");
    PortRun second = PortRun.of("port", in, "--out", out, "--fail-on", "warning");
    assertThat(first.code()).isEqualTo(1);
    assertThat(second.code()).isEqualTo(1);
    assertThat(second.err()).contains("1 up to date").contains("cudaNoSuchThing");
  }

  @Test
  void otherOptionsPortAgain() throws IOException {
    write(in.resolve("k.cu"), KERNEL);
    PortRun.of("port", in, "--out", out);
    PortRun again = PortRun.of("port", in, "--out", out, "--launch", "ggl");
    assertThat(again.err()).contains("1 ported");
    assertThat(out.resolve("k.cu")).content().contains("hipLaunchKernelGGL");
  }

  @Test
  void portingAPortedTreeChangesNothing() throws IOException {
    write(in.resolve("k.cu"), KERNEL.replace("*= 2.0f", "+= __shfl_sync(~0u, x[0], 3)"));
    PortRun.of("port", in, "--out", out);
    assertThat(tree(out).keySet()).contains("rocport/warp_sync.h");
    PortRun.of("port", out, "--out", dir.resolve("again"));
    assertThat(tree(dir.resolve("again"))).isEqualTo(tree(out));
  }

  @Test
  void theResultDoesNotDependOnTheNumberOfThreads() throws IOException {
    for (int i = 0; i < 40; i++) {
      write(in.resolve("d" + i % 7 + "/k" + i + ".cu"), KERNEL + "void f() { cudaNoSuch(); }\n");
    }
    PortRun one = PortRun.of("port", in, "--out", out, "--jobs", "1", "--format", "json");
    PortRun four =
        PortRun.of("port", in, "--out", dir.resolve("four"), "--jobs", "4", "--format", "json");
    assertThat(four.out()).isEqualTo(one.out());
    assertThat(tree(dir.resolve("four"))).isEqualTo(tree(out));
  }

  @Test
  void includePortsOnlyWhatMatchesAndExcludeLeavesOut() throws IOException {
    write(in.resolve("src/k.cu"), KERNEL);
    write(in.resolve("vendor/v.cu"), KERNEL);
    write(in.resolve("data/big.txt"), "x");
    PortRun.of("port", in, "--out", out, "--include", "src/**", "--exclude", "data");
    assertThat(tree(out).keySet()).containsExactly("src/k.cu", "vendor/v.cu");
    assertThat(out.resolve("vendor/v.cu")).content().isEqualTo(KERNEL);
    assertThat(out.resolve("src/k.cu")).content().contains("hip");
  }

  @Test
  void diffPrintsWhatChangesAndWritesNothing() throws IOException {
    write(in.resolve("k.cu"), KERNEL);
    write(in.resolve("crlf.cu"), KERNEL.replace("\n", "\r\n").stripTrailing());
    Map<String, String> before = tree(dir);
    PortRun run = PortRun.of("port", in, "--diff");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith("--- a/crlf.cu\n+++ b/crlf.cu\n@@")
        .contains("-  cudaDeviceSynchronize();\r\n+  hipDeviceSynchronize();\r\n")
        .contains("--- a/k.cu\n");
    assertThat(tree(dir)).isEqualTo(before);
  }

  @Test
  void renamedSourcesTakeIncludesAndBuildFilesAlong() throws IOException {
    write(in.resolve("src/k.cu"), KERNEL);
    write(in.resolve("src/main.cu"), "#include \"k.cu\"\n#include \"k.cuh\"\n" + KERNEL);
    write(in.resolve("src/k.cuh"), "void run(float*);\n");
    write(
        in.resolve("CMakeLists.txt"),
        "add_executable(a src/k.cu ${CMAKE_SOURCE_DIR}/src/main.cu other.cu src/k.cuh)\n");
    write(in.resolve("Makefile"), "%.o: %.cu\n\tnvcc -c $<\nOBJ=$(SRC:.cu=.o)\n");
    PortRun.of("port", in, "--out", out, "--rename-sources");
    assertThat(tree(out).keySet())
        .containsExactly("CMakeLists.txt", "Makefile", "src/k.cuh", "src/k.hip", "src/main.hip");
    assertThat(out.resolve("src/main.hip")).content().contains("\"k.hip\"").contains("\"k.cuh\"");
    assertThat(out.resolve("CMakeLists.txt"))
        .content()
        .isEqualTo(
            "add_executable(a src/k.hip ${CMAKE_SOURCE_DIR}/src/main.hip other.cu src/k.cuh)\n");
    assertThat(out.resolve("Makefile"))
        .content()
        .isEqualTo("%.o: %.hip\n\thipcc -c $<\nOBJ=$(SRC:.hip=.o)\n");
  }

  @Test
  void saysWhatIsWrongWithTheCommandLine() throws IOException {
    write(in.resolve("k.cu"), KERNEL);
    Path file = write(dir.resolve("file.txt"), "x");
    assertUsage(PortRun.of("port", in), "--out DIR");
    assertUsage(PortRun.of("port", in, "--out", out, "--diff"), "are mutually exclusive");
    assertUsage(PortRun.of("port", dir.resolve("none"), "--out", out), "none: no such file");
    assertUsage(PortRun.of("port", in, "--out", in), "--in-place");
    assertUsage(PortRun.of("port", in, "--out", file), "must be a folder");
    assertUsage(PortRun.of("port", in, "--out", out, "--jobs", "0"), "--jobs");
    assertUsage(PortRun.of("port", in, "--out", out, "--exclude", "a[b"), "not closed");
    assertUsage(PortRun.of("port", in, "--undo"), "nothing was ported");
    assertUsage(
        PortRun.of("port", in, "--out", out, "--launch", "no"), "is not one of chevrons, ggl");
    assertThat(out).doesNotExist();
  }

  private static void assertUsage(PortRun run, String message) {
    assertThat(run.code()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void takesOptionsFromTheTreesConfiguration() throws IOException {
    write(in.resolve("k.cu"), KERNEL);
    write(in.resolve("x/k.cu"), KERNEL);
    write(in.resolve(".rocport.yaml"), "launch: ggl\nexclude: [x]\n");
    PortRun.of("port", in, "--out", out);
    assertThat(out.resolve("k.cu")).content().contains("hipLaunchKernelGGL");
    assertThat(out.resolve("x")).doesNotExist();
    PortRun.of("port", in, "--out", out, "--launch", "chevrons");
    assertThat(out.resolve("k.cu")).content().contains("<<<1, 32>>>");
  }

  @Test
  void namesTheLineOfAnUnknownKeyInTheConfiguration() throws IOException {
    write(in.resolve("k.cu"), KERNEL);
    Path config = write(in.resolve(".rocport.yaml"), "libs: hip\nlunch: ggl\n");
    assertUsage(PortRun.of("port", in, "--out", out), config.toRealPath() + ":2: unknown option");
    write(config, "launch: somehow\n");
    assertUsage(PortRun.of("port", in, "--out", out), "'somehow' is not one of chevrons, ggl");
    write(config, "launch: [\n");
    assertUsage(PortRun.of("port", in, "--out", out), ".rocport.yaml:");
  }

  @Test
  void aUsersTableTeachesGuardMacros() throws IOException {
    Path source =
        write(
            dir.resolve("in/a.cu"),
            """
            #if TOOLKIT_NUMBER >= 12000 && defined(__OURCC__)
            int a = TOOLKIT_NUMBER;
            #endif
            """);
    write(
        dir.resolve("mine/guards/macros.tsv"),
        """
        macro\tkind\tvalue\toldest\tin_code\tlibrary
        TOOLKIT_NUMBER\tversion\t13000\t9000\tHIP_VERSION_MAJOR\t
        __OURCC__\tcompiler\t__HIPCC__\t\t__HIPCC__\t
        """);
    PortRun ran = PortRun.of("port", source, "--diff", "--rules", dir.resolve("mine"));
    assertThat(ran.out())
        .contains("+#if 13000 /* TOOLKIT_NUMBER */ >= 12000 && defined(__HIPCC__)")
        .contains("+int a = HIP_VERSION_MAJOR;");
  }

  @Test
  void guardMacrosOfOneKindMustAgree() throws IOException {
    Path source = write(dir.resolve("in/a.cu"), "int a;\n");
    write(
        dir.resolve("mine/guards/macros.tsv"),
        "macro\tkind\tvalue\toldest\tin_code\tlibrary\nCUDA_VERSION\tversion\t12080\t9000\t\t\n");
    PortRun ran = PortRun.of("port", source, "--diff", "--rules", dir.resolve("mine"));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("rows of one kind must have equal numbers");
  }

  @Test
  void otherGuardMacrosPortAnUnchangedFileAgain() throws IOException {
    write(in.resolve("a.cu"), "#ifdef __OURCC__\nint a;\n#endif\n");
    PortRun.of("port", in, "--out", out);
    write(
        dir.resolve("mine/guards/macros.tsv"),
        "macro\tkind\tvalue\toldest\tin_code\tlibrary\n__OURCC__\tcompiler\t__HIPCC__\t\t\t\n");

    PortRun.of("port", in, "--out", out, "--rules", dir.resolve("mine"));

    assertThat(out.resolve("a.cu")).content().contains("#ifdef __HIPCC__");
  }

  private void commands(String flags, String file) throws IOException {
    write(
        in.resolve("compile_commands.json"),
        """
        [{"directory": "/built/elsewhere/project", "file": "%2$s",
          "command": "nvcc %1$s -c %2$s -o a.o"}]
        """
            .formatted(flags, file));
  }

  @Test
  void commandsDetermineWhichFilesAreCuda() throws IOException {
    write(in.resolve("src/kernels.kern"), KERNEL);
    PortRun.of("port", in, "--out", out);
    assertThat(out.resolve("src/kernels.kern")).content().isEqualTo(KERNEL);

    commands("-x cu", "src/kernels.kern");
    PortRun.of("port", in, "--out", out);

    assertThat(out.resolve("src/kernels.kern")).content().contains("hipDeviceSynchronize");
  }

  @Test
  void commandsDetermineWhereHeadersAreSearched() throws IOException {
    write(in.resolve("old/cufft.h"), "int ours;\n");
    write(in.resolve("src/a.cu"), "#include <cufft.h>\n");
    PortRun.of("port", in, "--out", out);
    assertThat(out.resolve("src/a.cu")).content().contains("<cufft.h>");

    commands("-Iinclude", "src/a.cu");
    PortRun.of("port", in, "--out", out);
    assertThat(out.resolve("src/a.cu")).content().contains("<hipfft/hipfft.h>");

    commands("-Iold", "src/a.cu");
    PortRun.of("port", in, "--out", out);
    assertThat(out.resolve("src/a.cu")).content().contains("<cufft.h>");
  }

  @Test
  void commandsDetermineMacrosOfConditionsOnCuda() throws IOException {
    String chain =
        """
        __global__ void f() {
        #if __CUDA_ARCH__ >= 700 && USE_PTX
          asm volatile("bar.sync 1;");
        #else
          __syncthreads();
        #endif
        }
        """;
    write(in.resolve("a.cu"), chain);
    commands("-DUSE_PTX=0", "a.cu");
    PortRun off = PortRun.of("port", in, "--out", out, "--format", "json");
    assertThat(off.code()).as(off.out()).isZero();
    assertThat(off.out())
        .doesNotContain("the newest branch cannot be ported, so HIP builds select");

    commands("-DUSE_PTX=1", "a.cu");
    PortRun on = PortRun.of("port", in, "--out", out, "--format", "json");
    assertThat(on.out()).contains("the newest branch cannot be ported, so HIP builds select");
  }

  @Test
  void commandsOutsideOfTheTreeAndBrokenOnesAreFindings() throws IOException {
    write(in.resolve("a.cu"), KERNEL);
    commands("", "/elsewhere/b.cu");
    PortRun outside = PortRun.of("port", in, "--out", out);
    assertThat(outside.code()).isZero();
    assertThat(outside.err())
        .contains("compile_commands.json: warning: /elsewhere/b.cu is compiled with the project");

    write(in.resolve("compile_commands.json"), "[{");
    PortRun broken = PortRun.of("port", in, "--out", out);
    assertThat(broken.code()).isZero();
    assertThat(broken.err()).contains("is not JSON").contains("[TREE-COMMANDS]");
    assertThat(out.resolve("a.cu")).content().contains("hipDeviceSynchronize");
  }
}
