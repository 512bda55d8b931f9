package dev.rocport.lang.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the porting of one file takes from the others of its project. */
final class ProjectTest {
  private static final CudaPorter PORTER =
      new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  private static final SourceFile TEXTURES =
      SourceFile.of("textures.cuh", "texture<float> row;\nstatic texture<int, 2> image;\n");

  @Test
  void standInsForCudasNamesAreNoneOfTheProject() {
    SourceFile compat =
        SourceFile.of(
            "compat.cuh",
            """
            #if CUDART_VERSION < 9000
            #define __shfl_down_sync(mask, v, d) older_shuffle(v, d)
            __device__ inline int __any_sync(unsigned m, int p) { return older_any(p); }
            #endif
            #ifndef __ballot_sync
            #define __ballot_sync(mask, p) __ballot(p)
            #endif
            #ifdef WITH_HIP
            #define cudaMalloc hipMalloc
            #endif
            #define cudaFree(p) traced(p)
            """);
    SourceFile kernel =
        SourceFile.of(
            "kernel.cu",
            """
            #include "compat.cuh"
            __global__ void k(int* o) {
              o[0] = __shfl_down_sync(~0u, o[1], 2) + __any_sync(~0u, o[2]) + __ballot_sync(~0u, o[3]);
            }
            void host(int* d) { cudaMalloc(&d, 4); cudaFree(d); }
            """);
    assertThat(port(kernel, compat, kernel))
        .contains("rocport::shfl_down_sync(~0u, o[1], 2)")
        .contains("rocport::any_sync(~0u, o[2])")
        .contains("rocport::ballot_sync(~0u, o[3])")
        .contains("hipMalloc(&d, 4); cudaFree(d);");
    assertThat(port(compat, compat, kernel))
        .contains("#define __shfl_down_sync(mask, v, d) older_shuffle(v, d)")
        .contains("inline int __any_sync(unsigned m, int p)")
        .contains("#ifndef __ballot_sync\n#define __ballot_sync(mask, p) rocport::ballot(p)")
        .contains("#define cudaMalloc hipMalloc");
  }

  @Test
  void copiesOfToolkitHeadersAreNotPartOfTheProject() {
    String text =
        """
        #ifndef HALF_COPY
        #define HALF_COPY
        #define DECL static __device__ __inline__
        DECL __half2 __shfl_sync(unsigned m, __half2 v, int lane) { return v; }
        #endif
        """;
    String licence =
        "/*\n * This source code and/or documentation (\"Licensed Deliverables\") are\n */\n";
    SourceFile copy = SourceFile.of("src/cuda_fp16.h", licence + text);
    SourceFile own = SourceFile.of("src/cuda_fp16.h", text);
    SourceFile kernel =
        SourceFile.of(
            "src/kernel.cu",
            """
            #include "cuda_fp16.h"
            __global__ void k(int* o) { o[0] = __shfl_sync(~0u, o[1], 2); }
            """);

    assertThat(port(kernel, copy, kernel))
        .contains("#include \"hip/hip_fp16.h\"")
        .contains("rocport::shfl_sync(~0u, o[1], 2)");
    assertThat(port(copy, copy, kernel)).isEqualTo(licence + text);
    assertThat(port(kernel, own, kernel))
        .contains("#include \"cuda_fp16.h\"")
        .contains(" __shfl_sync(~0u, o[1], 2)");
  }

  @Test
  void macroOfAVariableInAnotherFileIsNotOneForBothSides() {
    String header =
        "#ifdef __CUDA_ARCH__\n"
            + "#define BOTH static __device__\n"
            + "#else\n"
            + "#define BOTH static\n"
            + "#endif\n";
    SourceFile macros = SourceFile.of("src/both.h", header);
    SourceFile function =
        SourceFile.of("src/a.cu", "BOTH std::pair<int, int> two() { return {}; }\n");
    SourceFile variable = SourceFile.of("src/b.cu", "BOTH const float steps[2] = {1, 2};\n");

    assertThat(port(macros, macros, function)).contains("#define BOTH static __host__ __device__");
    assertThat(port(macros, macros, function, variable))
        .contains("#ifdef __HIP_DEVICE_COMPILE__\n#define BOTH static __device__");
  }

  /** The definition holds in its branch; code after {@code #endif} is ported. */
  @Test
  void membersAreForTheSidesThatTheirClassInAnotherFileNames() {
    SourceFile header =
        SourceFile.of(
            "matrix.h",
            """
            namespace geometry {
            class Matrix final : public Base {
             public:
              __host__ __device__
              float2 applied(const float2& v) const;
              __host__ __device__ float2 applied(float x, float y) const;
              __device__ __host__ void clear();
              __device__ void clear(int n);
              __device__ void fill(float v);
              __host__ __device__ float& at(int y) { return rows[y]; }
              float rows[3];
            };
            }
            """);
    SourceFile source =
        SourceFile.of(
            "matrix.cu",
            """
            #include "matrix.h"
            namespace geometry {
            __device__ float2 Matrix::applied(const float2& v) const { return v; }
            __device__
            float2 Matrix::applied(float x, float y) const { return {x, y}; }
            __device__ void Matrix::clear() {}
            __device__ void Matrix::fill(float v) {}
            }
            __device__ void Other::clear() {}
            """);

    assertThat(port(source, header, source))
        .contains("\n__host__ __device__ float2 Matrix::applied(const float2& v) const")
        .contains("\n__host__ __device__\nfloat2 Matrix::applied(float x, float y) const")
        .contains("\n__host__ __device__ void Matrix::clear()")
        .contains("\n__device__ void Matrix::fill(float v)")
        .contains("\n__device__ void Other::clear()");
    SourceFile another =
        SourceFile.of("another.h", "struct Matrix { __device__ void clear(); int n; };\n");
    assertThat(port(source, header, another, source))
        .contains("\n__device__ void Matrix::clear()")
        .contains("\n__host__ __device__ float2 Matrix::applied(const float2& v) const");
  }

  @Test
  void branchesForOtherPlatformsDefineNoNamesForCuda() {
    SourceFile backend =
        SourceFile.of(
            "backend.h",
            """
            #if defined(USE_CUDA)
            #include <cuda_runtime.h>
            inline const char* text(cudaError_t e) { return cudaGetErrorString(e); }
            #elif defined(USE_SYCL)
            #define cudaGetErrorString(...) "no text"
            inline const char* text(int e) { return cudaGetErrorString(e); }
            #endif
            #ifndef USE_SYCL
            #define cudaFree(p) traced(p)
            #else
            #define cudaMalloc(p, n) allocate(p, n)
            #endif
            #if defined(USE_CUDA) || defined(USE_SYCL)
            #define cudaFreeHost(p) traced(p)
            #endif
            """);
    SourceFile user =
        SourceFile.of(
            "user.cu",
            """
            #include "backend.h"
            const char* f() { return cudaGetErrorString(cudaFree(0)); }
            void g(void* p) { cudaMalloc(&p, 4); cudaFreeHost(p); }
            """);
    assertThat(port(backend, backend, user))
        .contains("text(hipError_t e) { return hipGetErrorString(e); }")
        .contains("#define cudaGetErrorString(...) \"no text\"")
        .contains("text(int e) { return cudaGetErrorString(e); }");
    assertThat(port(user, backend, user))
        .contains("return hipGetErrorString(cudaFree(0));")
        .contains("hipMalloc(&p, 4); cudaFreeHost(p);");
    assertThat(changes(backend, backend, user).findings())
        .filteredOn(d -> d.rule().equals("API-OWN"))
        .extracting(Finding::line)
        .containsExactly(5, 11);
  }

  private static final SourceFile DEFINITIONS =
      SourceFile.of(
          "common/definitions.h",
          """
          #include "first.cuh"
          #define CUDART_PI_F 3.0f
          typedef unsigned long long CUdeviceptr;
          static int cudaFree(void* p) { return p != nullptr; }
          """);

  private static final String USES =
      "float f(CUdeviceptr* d) { cudaFree(d); return CUDART_PI_F; }\n";

  private static final String RENAMED =
      "float f(hipDeviceptr_t* d) { hipFree(d); return HIP_PI_F; }\n";

  /** A definition counts in its file, in those that include it, and in those included after it. */
  @Test
  void definitionsCountWhereTheyAreSeen() {
    SourceFile first = SourceFile.of("common/first.cuh", USES);
    SourceFile user =
        SourceFile.of(
            "app/user.cu",
            "#include \"before.cuh\"\n#include <definitions.h>\n#include \"after.cuh\"\n" + USES);
    SourceFile before = SourceFile.of("app/before.cuh", USES);
    SourceFile after = SourceFile.of("app/after.cuh", USES);
    SourceFile other = SourceFile.of("other/other.cu", USES);
    SourceFile[] all = {DEFINITIONS, first, user, before, after, other};
    assertThat(port(user, all)).endsWith(USES);
    assertThat(port(after, all)).endsWith(USES);
    assertThat(port(DEFINITIONS, all)).contains("typedef unsigned long long CUdeviceptr;");
    for (SourceFile unseen : List.of(first, before, other)) {
      assertThat(port(unseen, all)).as(unseen.path()).endsWith(RENAMED);
      assertThat(changes(unseen, all).findings())
          .extracting(Finding::rule)
          .doesNotContain("API-OWN");
    }
  }

  @Test
  void theNearestOfSeveralHeadersOfANameIsMeant() {
    SourceFile own = SourceFile.of("b/inc/definitions.h", "#define CUDART_PI_F 3.0f\n");
    SourceFile here = SourceFile.of("a/inc/definitions.h", "// none\n");
    SourceFile user = SourceFile.of("a/src/user.cu", "#include \"definitions.h\"\n" + USES);
    assertThat(port(user, own, here, user)).endsWith(RENAMED);
  }

  @Test
  void headersBesideAnotherProgramAreHardlyMeant() {
    SourceFile own = SourceFile.of("apps/b/definitions.h", "#define CUDART_PI_F 3.0f\n");
    SourceFile other = SourceFile.of("apps/b/b.cu", "#include \"definitions.h\"\n" + USES);
    SourceFile common = SourceFile.of("common/definitions.h", "// none\n");
    SourceFile user = SourceFile.of("apps/a/a.cu", "#include <definitions.h>\n" + USES);
    assertThat(port(user, own, other, common, user)).endsWith(RENAMED);
    assertThat(port(other, own, other, common, user)).contains("return CUDART_PI_F;");
  }

  /** A function with external linkage counts where a prototype of the project is seen. */
  @Test
  void functionsCountByTheirLinkage() {
    SourceFile fake = SourceFile.of("fake.c", "int cuInit(unsigned n) { return (int)n; }\n");
    SourceFile hidden = SourceFile.of("hidden.c", "static int cuInit(unsigned n) { return 1; }\n");
    String prototype = "int cuInit(unsigned);\n";
    String call = "int f(void) { return cuInit(0); }\n";
    SourceFile linked = SourceFile.of("linked.c", prototype + call);
    SourceFile cuda = SourceFile.of("cuda.c", "#include <cuda.h>\n" + call);
    assertThat(port(linked, fake, linked, cuda)).isEqualTo(prototype + call);
    assertThat(port(cuda, fake, linked, cuda)).contains("return hipInit(0);");
    assertThat(changes(fake, fake, linked, cuda).findings())
        .extracting(Finding::rule)
        .containsExactly("API-OWN");
    assertThat(port(linked, hidden, linked)).contains("int hipInit(unsigned);", "hipInit(0)");
  }

  @Test
  void aHeaderThatIsSeenBothWaysIsLeftAloneWithAWarning() {
    SourceFile own = SourceFile.of("own.cu", "#define CUDART_PI_F 3.0f\n#include \"use.cuh\"\n");
    SourceFile cuda =
        SourceFile.of("cuda.cu", "#include <math_constants.h>\n#include \"use.cuh\"\n");
    SourceFile use = SourceFile.of("use.cuh", "static float two = 2 * CUDART_PI_F;\n");
    assertThat(port(use, own, cuda, use)).endsWith("2 * CUDART_PI_F;\n");
    assertThat(changes(use, own, cuda, use).findings())
        .extracting(Finding::rule)
        .containsExactly("API-OWN");
  }

  @Test
  void productsInConditionsDefineNothing() {
    SourceFile kernel =
        SourceFile.of(
            "kernel.cu",
            "__device__ int f(int n) { return n ? n * __shfl_sync(~0u, n, 0) : 1; }\n");
    assertThat(port(kernel, kernel)).contains("n ? n * rocport::shfl_sync(~0u, n, 0) : 1");
  }

  @Test
  void overloadsOfWarpFunctionsMoveBesideThoseThatServeCudas() {
    SourceFile header =
        SourceFile.of(
            "pair.cuh",
            """
            template <typename T>
            __device__ Pair<T> __shfl_xor_sync(unsigned m, Pair<T> v, int d) {
              return {__shfl_xor_sync(m, v.a, d), __shfl_xor_sync(m, v.b, d)};
            }
            """);
    SourceFile kernel =
        SourceFile.of(
            "kernel.cu", "__device__ int f(int n) { return __shfl_xor_sync(~0u, n, 1); }\n");
    assertThat(port(header, header, kernel))
        .contains("namespace rocport { template <typename T>\n__device__ Pair<T> shfl_xor_sync(")
        .contains("rocport::shfl_xor_sync(m, v.b, d)};\n} }");
    assertThat(port(kernel, header, kernel)).contains("return rocport::shfl_xor_sync(~0u, n, 1)");
  }

  @Test
  void headerOfCudasNameMayIncludeCudas() {
    SourceFile header = SourceFile.of("vendor/cuda.h", "#include <cuda.h>\nCUresult r;\n");
    SourceFile user = SourceFile.of("user.cu", "#include \"vendor/cuda.h\"\n");
    assertThat(port(header, header, user)).contains("#include <hip/hip_runtime.h>");
    assertThat(port(user, header, user)).contains("#include \"vendor/cuda.h\"");
  }

  @Test
  void aHeaderBesideAFileCountsIfItsFolderIsSearched() {
    SourceFile own = SourceFile.of("tiles/arch/mma.h", "struct Mma {};\n");
    SourceFile longer =
        SourceFile.of(
            "tiles/arch/wmma.h", "#include <mma.h>\n#include \"tiles/arch/mma.h\"\nint* p;\n");
    SourceFile beside = SourceFile.of("tiles/arch/fast.h", "#include <mma.h>\nMma* p;\n");

    assertThat(port(longer, own, longer, beside))
        .contains("rocport/wmma.h")
        .contains("#include \"tiles/arch/mma.h\"");
    assertThat(port(beside, own, longer, beside)).contains("#include <mma.h>");
  }

  @Test
  void aHeaderOfCudasNameCountsWhereItIsSearched() {
    SourceFile stub = SourceFile.of("tests/stubs/cuda.h", "typedef int CUresult;\n");
    SourceFile test = SourceFile.of("tests/unit/test.cu", "#include <cuda.h>\n");
    SourceFile app = SourceFile.of("app/main.cu", "#include <cuda.h>\n");
    SourceFile quoted = SourceFile.of("app/other.cu", "#include \"cuda.h\"\n");
    SourceFile[] all = {stub, test, app, quoted};
    assertThat(port(test, all)).isEqualTo("#include <cuda.h>\n");
    assertThat(port(app, all)).isEqualTo("#include <hip/hip_runtime.h>\n");
    assertThat(port(quoted, all)).isEqualTo("#include \"cuda.h\"\n");
    assertThat(changes(quoted, all).findings())
        .extracting(Finding::rule)
        .containsExactly("INCLUDE-HEADER");
  }

  @Test
  void aHeaderWithTheNameOfOneOfCubIsOfTheProject() {
    SourceFile own = SourceFile.of("third/cub/cub.cuh", "namespace cub { struct Sum {}; }\n");
    SourceFile user = SourceFile.of("user.cu", "#include <cub/cub.cuh>\ncub::Sum sum;\n");
    assertThat(port(user, own, user)).contains("#include <cub/cub.cuh>");
  }

  @Test
  void aPathToACopyThatIsNotPartOfTheProjectLeadsToRocm() {
    SourceFile user =
        SourceFile.of(
            "src/a.cu",
            """
            #include "../ext/cub/cub/cub.cuh"
            #include "../ext/thrust/thrust/sort.h"
            #include "../ext/thrust/notes.h"
            """);
    SourceFile own = SourceFile.of("ext/thrust/sort.h", "int sort;\n");
    SourceFile other = SourceFile.of("src/b.cu", "#include \"../ext/thrust/sort.h\"\n");
    assertThat(port(user, user))
        .contains("#include <hipcub/hipcub.hpp>")
        .contains("#include <thrust/sort.h>");
    assertThat(port(other, own, other)).contains("\"../ext/thrust/sort.h\"");
  }

  @Test
  void aHeaderIncludesWhatItsTranslationUnitsTakeFromThatOfALibrary() {
    SourceFile common = SourceFile.of("common.h", "#pragma once\n#include <cublas_v2.h>\n");
    SourceFile kernel = SourceFile.of("kernel.cuh", "__device__ half twice(half x);\n");
    SourceFile user = SourceFile.of("user.cu", "#include \"common.h\"\n#include \"kernel.cuh\"\n");
    SourceFile other = SourceFile.of("other/other.cu", "#include <cublas_v2.h>\n");
    SourceFile[] all = {common, kernel, user, other};
    assertThat(port(common, all)).contains("<hipblas/hipblas.h>\n#include <hip/hip_fp16.h>\n");
    assertThat(port(other, all)).doesNotContain("hip_fp16.h");
  }

  @Test
  void aHeaderForTheHostIncludesNoBfloat16ThatOtherFilesUse() {
    SourceFile common = SourceFile.of("common.h", "#pragma once\n#include <cublas_v2.h>\n");
    SourceFile own = SourceFile.of("own.h", "#include <cublas_v2.h>\nvoid f(__nv_bfloat16* x);\n");
    SourceFile user =
        SourceFile.of("a.cu", "#include \"common.h\"\n__device__ void f(__nv_bfloat16* x);\n");
    assertThat(port(common, common, own, user))
        .contains(
            "<hipblas/hipblas.h>\n#if defined(__HIPCC__)\n#include <hip/hip_bf16.h>\n#endif\n");
    assertThat(port(own, common, own, user))
        .contains("<hipblas/hipblas.h>\n#include <hip/hip_bf16.h>\n");
  }

  @Test
  void texturesOfAnotherFileAreReadThroughTheirHandles() {
    SourceFile kernel =
        SourceFile.of(
            "kernel.cu",
            """
            __device__ float get(int i) { return tex1Dfetch(row, i); }
            __global__ void k(float* image, float* o) { o[0] = get(1) + image[2]; }
            void host(float* d) { cudaBindTexture(0, row, d); }
            """);
    assertThat(port(kernel, TEXTURES, kernel))
        .contains("rocport::tex1Dfetch(row_handle, i)")
        .contains("get(1) + image[2]")
        .contains("rocport::bindTexture(0, row, d)");
  }

  @Test
  void aVariableOfTheSameNameInAnotherFileIsNotATexture() {
    SourceFile kernel =
        SourceFile.of(
            "kernel.cu",
            """
            __device__ float* row;
            __device__ float get(int i) { return row[i]; }
            """);
    assertThat(port(kernel, TEXTURES, kernel)).endsWith(text(kernel));
  }

  @Test
  void aProjectTemplateIsNotATextureReference() {
    SourceFile own = SourceFile.of("own.h", "template <class T> class texture { T t; };\n");
    SourceFile use = SourceFile.of("use.cpp", "#include \"own.h\"\ntexture<float> sky;\n");
    assertThat(port(use, own, use)).endsWith(text(use));
    assertThat(changes(use, own, use).findings()).extracting(Finding::rule).isEmpty();
  }

  private static final SourceFile POOL =
      SourceFile.of(
          "include/pool.h",
          """
          struct Pool {
            CUdeviceptr base, slots[4];
            CUdeviceptr take(size_t n);
          };
          """);

  @Test
  void devicePointersOfAnIncludedClassAreAddresses() {
    SourceFile use =
        SourceFile.of(
            "src/pool.cpp",
            """
            #include "../include/pool.h"
            CUdeviceptr Pool::take(size_t n) { return base + n; }
            void clear(Pool& pool, Pool* more) {
              cuMemsetD8(pool.base + 16, 0, 4);
              cuMemsetD8(more->slots[1] + 8, 0, 4);
            }
            float at(float* base) { return *(base + 1); }
            """);
    assertThat(port(use, POOL, use))
        .contains("return (hipDeviceptr_t)((char*)base + n);")
        .contains("hipMemsetD8((hipDeviceptr_t)((char*)pool.base + 16), 0, 4);")
        .contains("hipMemsetD8((hipDeviceptr_t)((char*)more->slots[1] + 8), 0, 4);")
        .contains("return *(base + 1);");
  }

  @Test
  void aClassOfTheSameNameThatIsNotIncludedIsIgnored() {
    SourceFile use =
        SourceFile.of(
            "src/other.cpp",
            """
            struct Pool { float* base; };
            float first(Pool& pool) { return *(pool.base + 1); }
            """);
    assertThat(port(use, POOL, use)).isEqualTo(text(use));
  }

  @Test
  void aMemberOfAnotherTypeIsNotADevicePointer() {
    SourceFile use =
        SourceFile.of(
            "src/other.cpp",
            """
            #include "pool.h"
            struct Row { float* base; };
            float first(Row& row) { return *(row.base + 1); }
            """);
    assertThat(port(use, POOL, use)).isEqualTo(text(use));
  }

  /** 60,000 terms, with a sum inside brackets; quadratic time would take minutes. */
  @Test
  @Timeout(20)
  void longSumsTakeTimeByTheirLength() {
    String sum = "d + ".repeat(60_000) + "(d - e) - d";
    SourceFile use =
        SourceFile.of(
            "sum.cpp",
            "unsigned long long f(CUdeviceptr d, CUdeviceptr e) { return " + sum + "; }\n");
    assertThat(port(use, use))
        .endsWith(
            "(unsigned long long)d + ((unsigned long long)d - (unsigned long long)e)"
                + " - (unsigned long long)d; }\n");
  }

  private static Changes changes(SourceFile file, SourceFile... project) {
    List<ProjectIndex.Scan> scans = Arrays.stream(project).map(PORTER::scan).toList();
    return PORTER.port(file, ProjectIndex.of(scans));
  }

  private static String port(SourceFile file, SourceFile... project) {
    byte[] ported = changes(file, project).edits().apply(file.bytes());
    return new String(ported, StandardCharsets.UTF_8);
  }

  private static String text(SourceFile file) {
    return new String(file.bytes(), StandardCharsets.UTF_8);
  }
}
