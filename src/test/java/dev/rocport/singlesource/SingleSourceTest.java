package dev.rocport.singlesource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SingleSourceTest {
  private static final SingleSource STYLE =
      new SingleSource(new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT));

  private static final String INCLUDES =
      """
      #if defined(__HIP_PLATFORM_AMD__) /* rocport */
      #include <hip/hip_runtime.h>
      #include "rocport/cuda_compat.h"
      #else /* rocport */
      #include <cuda_runtime.h>
      #endif /* rocport */
      """;

  private static SingleSource.Ported port(SourceFile file) {
    ProjectIndex project = ProjectIndex.of(List.of(STYLE.scan(file)));
    SingleSource.Ported first = STYLE.port(file, project);
    assertThat(first.failure()).isEmpty();
    SourceFile ported = new SourceFile(file.path(), first.output());
    assertThat(Gates.strip(ported)).isEqualTo(Gates.strip(file));

    ProjectIndex again = ProjectIndex.of(List.of(STYLE.scan(ported)));
    SingleSource.Ported second = STYLE.port(ported, again);
    assertThat(text(second.output())).isEqualTo(text(first.output()));
    assertThat(second.edits()).isEmpty();
    assertThat(second.shims().contains(CompatHeader.NAME))
        .isEqualTo(first.shims().contains(CompatHeader.NAME));
    assertThat(STYLE.compatHeader(again)).isEqualTo(STYLE.compatHeader(project));
    return first;
  }

  private static String port(String name, String text) {
    return text(port(SourceFile.of(name, text)).output());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void renamesNeedNoGateButTheHeader() {
    assertThat(port("a.cu", "#include <cuda_runtime.h>\nvoid f() { cudaDeviceSynchronize(); }\n"))
        .isEqualTo(INCLUDES + "void f() { cudaDeviceSynchronize(); }\n");
  }

  @Test
  void theHeaderHoldsTheNamesThatTheProjectUses() {
    SourceFile file = SourceFile.of("a.cu", "void f() { cudaDeviceSynchronize(); }\n");
    assertThat(STYLE.compatHeader(ProjectIndex.of(List.of(STYLE.scan(file)))))
        .contains("#define cudaDeviceSynchronize hipDeviceSynchronize\n")
        .doesNotContain("cudaMalloc");
  }

  @Test
  void aFileInAFolderFindsTheHeaderFromThere() {
    assertThat(port("src/gpu/a.cu", "void f() { cudaDeviceSynchronize(); }\n"))
        .contains("#include \"../../rocport/cuda_compat.h\"\n");
  }

  @Test
  void aChangeOfMoreThanANameIsGatedAsAWholeLine() {
    assertThat(port("a.cu", "#include <cuda_runtime.h>\n\nv = __shfl_sync(m, v, 0);\nw = 1;\n"))
        .contains(
            """
            #if defined(__HIP_PLATFORM_AMD__) /* rocport */
            v = rocport::shfl_sync(m, v, 0);
            #else /* rocport */
            v = __shfl_sync(m, v, 0);
            #endif /* rocport */
            w = 1;
            """);
  }

  @Test
  void theArgumentsOfACallAreNotCutApart() {
    String call = "CHECK(f(1,\n  __shfl_sync(m, v, 0),\n  2));\n";
    assertThat(port("a.cu", "#include <cuda_runtime.h>\nint x;\nint y;\n" + call))
        .endsWith("#else /* rocport */\n" + call + "#endif /* rocport */\n");
  }

  @Test
  void aMacroIsNotCutApart() {
    String macro = "#define F(v) \\\n  g(v); \\\n  __syncwarp(); \\\n  h(v)\n";
    assertThat(port("a.cu", "int a;\nint b;\n" + macro + "int c;\n"))
        .contains("#else /* rocport */\n" + macro + "#endif /* rocport */\nint c;\n");
  }

  @Test
  void aShortConditionIsDuplicated() {
    String chain = "#if CUDART_VERSION >= 12000\nnew_way();\n#else\nold_way();\n#endif\n";
    assertThat(port("a.cpp", "int a;\nint b;\n" + chain))
        .contains("#if 13000 /* CUDART_VERSION */ >= 12000\nnew_way();")
        .endsWith("#else /* rocport */\n" + chain + "#endif /* rocport */\n");
  }

  @Test
  void aLongConditionGetsItsMacrosSetAroundEachDirective() {
    String body = "int x;\n".repeat(20);
    assertThat(port("a.h", "#pragma once\n#ifdef __CUDACC__\n" + body + "#endif\n"))
        .isEqualTo(
            """
            #pragma once
            #if defined(__HIP_PLATFORM_AMD__) /* rocport guard */
            #if defined(__HIPCC__)
            #define __CUDACC__ 1
            #endif
            #endif /* rocport */
            #ifdef __CUDACC__
            #if defined(__HIP_PLATFORM_AMD__) /* rocport guard */
            #undef __CUDACC__
            #endif /* rocport */
            """
                + body
                + """
                #endif
                #if defined(__HIP_PLATFORM_AMD__) /* rocport guard */
                #undef __CUDACC__
                #endif /* rocport */
                """);
  }

  @Test
  void gatesOfTheProjectsOwnAreLeftAlone() {
    String text =
        """
        #ifdef __HIP_PLATFORM_AMD__
        #include <hip/hip_runtime.h>
        #else
        #include <cuda_runtime.h>
        void f() { v = __shfl_sync(m, v, 0); }
        #endif
        int x;
        """;
    assertThat(port("a.cpp", text)).isEqualTo(text);
  }

  @Test
  void aHandMadeChangeOfAPortedFileIsPortedToo() {
    String ported = port("a.cu", "#include <cuda_runtime.h>\nvoid f() { cudaDeviceReset(); }\n");
    String more = ported + "void g() { v = __shfl_sync(m, v, 0); }\n";
    assertThat(port("a.cu", more)).startsWith("#if defined").contains("rocport::shfl_sync");
  }

  @Test
  void oneGateHidesCodeFromAmd() {
    String text =
        """
        inline __device__ void operator+=(float2& a, float2 b) {
          a.x += b.x;
          a.y += b.y;
        }
        """;
    assertThat(port("a.cuh", "int a;\nint b;\n" + text + "int x;\n"))
        .endsWith(
            "#if !defined(__HIP_PLATFORM_AMD__) /* rocport */\n"
                + text
                + "#endif /* rocport */\nint x;\n");
  }

  @Test
  void removedIncludesRemainForNvidia() {
    assertThat(
            port(
                "a.cu",
                "#include <cuda_runtime.h>\nint a;\nint b;\n#include <cuda_runtime.h>\nint c;\n"))
        .endsWith(
            """
            #if !defined(__HIP_PLATFORM_AMD__) /* rocport */
            #include <cuda_runtime.h>
            #endif /* rocport */
            int c;
            """);
  }

  @Test
  void aByteOrderMarkRemainsFirst() {
    assertThat(port("a.cu", "\ufeff#include <cuda_runtime.h>\nint x;\n"))
        .startsWith("\ufeff#if defined(__HIP_PLATFORM_AMD__)");
  }

  @Test
  void aLastLineWithoutLineEndIsRestored() {
    assertThat(port("a.cu", "int a;\nint b;\nint c;\nvoid f() { __syncwarp(); }"))
        .endsWith("void f() { __syncwarp(); }\n#endif /* rocport, no newline */");
  }

  @Test
  void aConditionThatNeverEndsCannotBeGated() {
    SourceFile file = SourceFile.of("a.cu", "#if __CUDA_ARCH__ >= 700\nint a;\n");
    assertThat(STYLE.port(file, ProjectIndex.EMPTY).failure()).contains("line 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "int x;",
        "__syncwarp();",
        "#include <cuda_runtime.h>",
        "const char* k = R\"x(\n__global__ void k() { __syncwarp(); }\n#endif\n)x\";\nint a;\n",
        "/* one\n */ void f() { __syncwarp(); } /* two\n three */ int a;\n",
        "// a comment \\\n that goes on\nvoid f() { __syncwarp(); } // and \\\n on\nint a;\n",
        "#define A 1 /* a\n b */ + 2\nvoid f() { __syncwarp(); }\n",
        "F\n(__syncwarp())\nint a;\n",
        "f(a,\n#if X\n  __shfl_sync(m, v, 0),\n#else\n 0,\n#endif\n  b);\n",
        "#if A\n#if __CUDA_ARCH__ >= 700\nx\n#elif B\ny\n#else\nz\n#endif\n#else\n#endif\n",
        "#ifndef A_H\n#define A_H\n#if CUDART_VERSION < 9000\nint a;\n#endif\n#endif\n",
        "#ifdef cudaMallocAsync\nint a;\n#endif\n",
        "}\n) #endif\n__syncwarp();\n",
        "k<<<g,\n  b>>>(__shfl_sync(m, v, 0),\n c);\n",
        "void f() { register int i = 0; __syncwarp(); }\nvoid g() { register int i; }\n",
        "#if defined(__HIP_PLATFORM_AMD__) /* rocport */\n__syncwarp();\n",
      })
  void difficultTextIsRestoredByteForByteAndStable(String text) {
    port("a.cu", text);
    port("a.cu", text.replace("\n", "\r\n"));
    port("sub/a.h", text);
    port("a.cu", "\ufeff" + text);
    port("a.cu", "#include <cuda_runtime.h>\n" + text + "\nint f() { cudaFree(0); }");
  }
}
