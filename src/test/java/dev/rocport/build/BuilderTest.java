package dev.rocport.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.TestProfile;
import dev.rocport.build.compile.DiagnosticParser;
import dev.rocport.build.compile.NewerNames;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.BuildFindings;
import dev.rocport.build.run.BuildListener;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.run.UnitResult.Status;
import dev.rocport.build.unit.CodeObject;
import dev.rocport.core.result.Finding;
import dev.rocport.io.Folders;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the real compiler. */
@Tag("toolchain")
class BuilderTest {
  private static final List<String> TARGETS = List.of("gfx90a", "gfx942");
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();

  private static final String KERNEL =
      """
      #include <hip/hip_runtime.h>
      #include "scale.h"
      __global__ void scale(float* p) { p[threadIdx.x] *= FACTOR; }
      void run(float* p) { scale<<<1, 64>>>(p); }
      """;

  private static final String MAIN =
      """
      #include <cstdio>
      void run(float*);
      int main() { run(nullptr); std::puts("done"); }
      """;

  @TempDir private Path folder;
  private Path root;

  @BeforeEach
  void root() throws IOException {
    root = Files.createDirectory(folder.toRealPath().resolve("tree"));
  }

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    // A file that changed in the last moment before a compile is not trusted by the cache.
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(5)));
  }

  private BuildOptions options(boolean plain, Duration timeout) {
    return options(plain, timeout, TestProfile.targets(0));
  }

  private BuildOptions options(boolean plain, Duration timeout, List<String> targets) {
    return options(plain, timeout, targets, Map.of());
  }

  private BuildOptions options(
      boolean plain, Duration timeout, List<String> targets, Map<String, String> environment) {
    return new BuildOptions(
        root,
        root.resolve("build-rocport"),
        targets,
        2,
        plain,
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        false,
        false,
        List.of(),
        List.of(),
        timeout,
        Optional.of(folder.resolve("cache")),
        environment,
        false);
  }

  private BuildResult build() throws Exception {
    return build(options(false, Duration.ofMinutes(30)), Optional.empty());
  }

  private BuildResult buildForAll() throws Exception {
    return build(options(false, Duration.ofMinutes(30), TARGETS), Optional.empty());
  }

  private BuildResult build(BuildOptions options, Optional<Path> original) throws Exception {
    return Builder.of(options, TestToolchain.get(), CATALOG, original, BuildListener.SILENT)
        .build();
  }

  private void kernelAndMain() throws IOException {
    file("include/scale.h", "#define FACTOR 2.0f\n");
    file("src/kernel.cu", KERNEL);
    file("main.cpp", MAIN);
  }

  private static Map<String, Status> status(BuildResult r) {
    return r.units().stream()
        .collect(java.util.stream.Collectors.toMap(UnitResult::path, UnitResult::status));
  }

  @Test
  void buildsAPlainTreeForEveryTarget() throws Exception {
    kernelAndMain();
    file("main.cpp", "#include <mpi.h>\n" + MAIN + "int end() { return MPI_Finalize(); }\n");
    file("other.hip", KERNEL.replace("void run", "int main() { return 0; } void other"));

    BuildResult r = buildForAll();

    assertThat(r.allFindings()).isEmpty();
    assertThat(r.links()).extracting(LinkResult::name).containsExactly("main", "other");
    assertThat(r.links().getFirst().inputs()).containsExactly("main.cpp", "src/kernel.cu");
    assertThat(r.links().getFirst().code())
        .containsExactly(
            new CodeObject("gfx90a", true, List.of("_Z5scalePf")),
            new CodeObject("gfx942", true, List.of("_Z5scalePf")));
    assertThat(r.links().getFirst().output()).isExecutable();
    assertThat(sourcesTouched()).isEmpty();
  }

  private List<Path> sourcesTouched() throws IOException {
    try (Stream<Path> all = Files.list(root)) {
      return all.filter(
              p ->
                  !List.of("include", "src", "main.cpp", "other.hip", "build-rocport")
                      .contains(p.getFileName().toString()))
          .toList();
    }
  }

  @Test
  void takesUnchangedObjectsFromTheCacheInAnyCopyOfTheTree() throws Exception {
    kernelAndMain();
    build();
    assertThat(status(build()).values()).containsOnly(Status.CACHED);

    Path copy = Files.createDirectory(folder.resolve("copy"));
    for (String f : List.of("include/scale.h", "src/kernel.cu", "main.cpp")) {
      Files.createDirectories(copy.resolve(f).getParent());
      Files.copy(root.resolve(f), copy.resolve(f));
    }
    root = copy.toRealPath();
    BuildResult r = build();
    assertThat(status(r).values()).containsOnly(Status.CACHED);
    assertThat(r.links().getFirst().status()).isEqualTo(LinkResult.Status.LINKED);
  }

  @Test
  void compilesAgainWhenAHeaderChangesOrAnotherTakesItsPlace() throws Exception {
    kernelAndMain();
    build();

    file("include/scale.h", "#define FACTOR 3.0f\n");
    assertThat(status(build()))
        .containsEntry("src/kernel.cu", Status.COMPILED)
        .containsEntry("main.cpp", Status.CACHED);

    file("src/scale.h", "#define FACTOR 4.0f\n");
    assertThat(status(build())).containsEntry("src/kernel.cu", Status.COMPILED);

    Files.delete(root.resolve("src/scale.h"));
    file("include/scale.h", "#define FACTOR 2.0f\n");
    assertThat(status(build())).containsEntry("src/kernel.cu", Status.CACHED);
  }

  @Test
  void namesTheDeclarationsThatAnAmbiguousNameMayMean() throws Exception {
    file("kinds.h", "namespace kinds {\ntemplate <class T> T real(T);\n}\n");
    file(
        "main.cpp", "#include \"kinds.h\"\ntypedef float real;\nusing namespace kinds;\nreal x;\n");

    assertThat(build().allFindings().getFirst().message())
        .startsWith("reference to 'real' is ambiguous")
        .contains("; candidate found by name lookup is 'real' at main.cpp:2")
        .contains("; candidate found by name lookup is 'kinds::real' at kinds.h:2");
  }

  @Test
  void namesTheFunctionThatTheDeviceDoesNotHave() throws Exception {
    file("lib.h", "template <class T> T twice(T a) { return a + a; }\n");
    file(
        "main.cu",
        "#include <hip/hip_runtime.h>\n#include \"lib.h\"\n"
            + "__device__ float f(float a) { return twice(a); }\n");

    assertThat(build().allFindings().getFirst().message())
        .startsWith("no matching function for call to 'twice'")
        .contains("call to __host__ function from __device__ function at lib.h:1");
  }

  @Test
  void compilesWithoutPrecompiledHeadersThatAreDamaged() throws Exception {
    Path own = folder.resolve("own");
    BuildOptions options =
        options(
            false, Duration.ofMinutes(30), List.of("gfx90a"), Map.of("XDG_CACHE_HOME", own + ""));
    file("kernel.cu", "__device__ int f() { return 1; }\nint main() {}\n");
    build(options, Optional.empty());
    // The first compile with some flags leaves a folder for their headers.
    Path set = Folders.list(own.resolve("rocport/headers")).getFirst();
    for (String side : List.of("host", "gfx90a")) {
      Files.writeString(set.resolve(side + ".names"), "names=''\n");
      Files.writeString(set.resolve(side + ".h"), "");
      Files.writeString(set.resolve(side + ".h.pch"), "not a precompiled header");
    }
    file("kernel.cu", "__device__ int f() { return 2; }\nint main() {}\n");

    BuildResult r = build(options, Optional.empty());

    assertThat(r.allFindings()).isEmpty();
    assertThat(status(r)).containsEntry("kernel.cu", Status.COMPILED);
  }

  @Test
  void doesNotTrustADamagedCache() throws Exception {
    kernelAndMain();
    build();
    try (Stream<Path> all = Files.walk(folder.resolve("cache"))) {
      for (Path p : all.filter(f -> f.toString().endsWith(".o")).toList()) {
        byte[] bytes = Files.readAllBytes(p);
        bytes[bytes.length / 2] ^= 1;
        Files.write(p, bytes);
      }
    }

    assertThat(status(build()).values()).containsOnly(Status.COMPILED);
  }

  @Test
  void twoBuildsMayShareACache() throws Exception {
    kernelAndMain();
    try (ExecutorService both = Executors.newFixedThreadPool(2)) {
      BuildOptions first = options(true, Duration.ofMinutes(30));
      Future<BuildResult> a = both.submit(() -> build(first, Optional.empty()));
      Future<BuildResult> b = both.submit(() -> build(first, Optional.empty()));
      assertThat(a.get().allFindings()).isEmpty();
      assertThat(b.get().allFindings()).isEmpty();
    }
  }

  @Test
  void linksDeviceCodeAcrossFilesWhereItIsNeeded() throws Exception {
    file("f.cu", "#include <hip/hip_runtime.h>\n__device__ int f(int x) { return x + 1; }\n");
    file(
        "main.cu",
        """
        #include <hip/hip_runtime.h>
        extern __device__ int f(int);
        __global__ void k(int* p) { *p = f(*p); }
        int main() { k<<<1, 1>>>(nullptr); }
        """);

    BuildResult r = buildForAll();

    assertThat(r.allFindings()).isEmpty();
    assertThat(r.notes()).anyMatch(n -> n.contains("-fgpu-rdc"));
    LinkResult main = r.links().getFirst();
    assertThat(main.inputs()).containsExactly("main.cu", "f.cu");
    assertThat(main.code())
        .extracting(CodeObject::target, CodeObject::kernels)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("gfx90a", List.of("_Z1kPi")),
            org.assertj.core.groups.Tuple.tuple("gfx942", List.of("_Z1kPi")));
  }

  @Test
  void linksRocshmemAndLeavesUnitsOfTheHostAsTheyAre() throws Exception {
    file(
        "main.cpp",
        "#include <rocshmem/rocshmem.hpp>\n#include <hip/hip_runtime.h>\nvoid put(int *);\n"
            + "__global__ void own(int *p) { *p = 1; }\n"
            + "int main() {\n  rocshmem::rocshmem_init();\n"
            + "  auto *p = (int *)rocshmem::rocshmem_malloc(4);\n  own<<<1, 1>>>(p);\n  put(p);\n"
            + "  rocshmem::rocshmem_finalize();\n}\n");
    file(
        "put.cu",
        "#include <rocshmem/rocshmem.hpp>\n"
            + "__global__ void toNext(int *p) { rocshmem::rocshmem_int_p(p, 1, 0); }\n"
            + "void put(int *p) { toNext<<<1, 1>>>(p); }\n");

    BuildResult r = build();

    assertThat(r.allFindings()).isEmpty();
    assertThat(r.notes())
        .contains("device code calls rocSHMEM, so the file was compiled with -fgpu-rdc");
    assertThat(r.units())
        .extracting(u -> u.path() + " " + u.kernels().getOrDefault("gfx90a", 0))
        .containsExactly("main.cpp 1", "put.cu 0"); // whose code is linked later
    LinkResult main = r.links().getFirst();
    assertThat(main.status()).isEqualTo(LinkResult.Status.LINKED);
    assertThat(main.libraries()).containsExactly("rocshmem");
    assertThat(main.inputs()).containsExactly("main.cpp", "put.cu");
  }

  @Test
  void placesErrorsInTheOriginalAndNamesTheRules() throws Exception {
    Path original = Files.createDirectory(folder.resolve("original"));
    Files.writeString(
        original.resolve("a.cu"),
        "#include <cuda_runtime.h>\nint main() {\n  return cudaMalloc(nowhere, 4);\n}\n");
    file(
        "a.cu",
        "#include <hip/hip_runtime.h>\n#include <cstdio>\nint main() {\n"
            + "  return hipMalloc(nowhere, 4);\n}\n");

    BuildResult r = build(options(false, Duration.ofMinutes(30), TARGETS), Optional.of(original));

    Finding f = r.allFindings().getFirst();
    assertThat(f.rule()).isEqualTo("BUILD-ERROR");
    assertThat(f.path()).isEqualTo("a.cu");
    assertThat(f.line()).isEqualTo(3);
    assertThat(f.message())
        .contains("undeclared identifier 'nowhere'")
        .contains("[ported: a.cu:4:")
        .contains("edited by API-RUNTIME");
    assertThat(r.units().getFirst().targets())
        .containsEntry("gfx90a", false)
        .containsEntry("gfx942", false)
        .containsEntry("host", false);
  }

  @Test
  void tellsTheTargetsThatFail() throws Exception {
    file(
        "a.cu",
        """
        #include <hip/hip_runtime.h>
        __global__ void k() {
        #ifdef __gfx942__
          only_there();
        #endif
        }
        int main() { k<<<1, 1>>>(); }
        """);

    UnitResult unit = buildForAll().units().getFirst();

    assertThat(unit.targets())
        .containsEntry("gfx90a", true)
        .containsEntry("gfx942", false)
        .containsEntry("host", true);
    assertThat(unit.findings().getFirst().message()).contains("(for gfx942)");
  }

  @Test
  void placesErrorsInHeadersOfTheToolchainWhereTheProjectLeadsThere() throws Exception {
    file(
        "a.cpp",
        "#include <vector>\n#include <algorithm>\nstruct S {};\n"
            + "void f(std::vector<S>& v) { std::sort(v.begin(), v.end()); }\n");

    List<Finding> found = build().allFindings();

    assertThat(found).isNotEmpty().allMatch(f -> f.path().equals("a.cpp") && f.line() == 4);
  }

  @Test
  void skipsWhatNeedsNewerHeaders() throws Exception {
    String name = "hipDeviceProp_of_the_future";
    NewerNames newer = new NewerNames(CATALOG, TestToolchain.get().hip());
    Optional<String> missing =
        CATALOG.names().stream()
            .filter(n -> n.kind() == dev.rocport.rules.ApiName.Kind.ENUM)
            .filter(n -> !n.needs().isEmpty() && n.hip().startsWith("hip"))
            .map(dev.rocport.rules.ApiName::hip)
            .filter(
                n ->
                    newer
                        .needed(
                            DiagnosticParser.parse(
                                    "a.cu:1:1: error: use of undeclared identifier '" + n + "'", "")
                                .getFirst())
                        .isPresent())
            .findFirst();
    org.junit.jupiter.api.Assumptions.assumeTrue(missing.isPresent(), "the headers have it all");
    file("a.cpp", "#include <hip/hip_runtime.h>\nint v = " + missing.orElse(name) + ";\n");

    BuildResult r = build();

    assertThat(r.units().getFirst().status()).isEqualTo(Status.TOO_NEW);
    assertThat(r.allFindings()).extracting(Finding::rule).containsOnly("BUILD-HIP-VERSION");
  }

  @Test
  void stopsACompilerThatTakesTooLong() throws Exception {
    file("main.cpp", MAIN);

    BuildResult r = build(options(true, Duration.ofMillis(1)), Optional.empty());

    assertThat(r.units().getFirst().status()).isEqualTo(Status.FAILED);
    assertThat(r.allFindings().getFirst().message()).contains("stopped after");
  }

  @Test
  void theRulesAboutTheCompilerHoldForTheirExamples() throws Exception {
    for (String id : List.of(BuildFindings.ERROR, BuildFindings.LINK, BuildFindings.PROJECT)) {
      Rule.Example example = CATALOG.require(id).examples().getFirst();
      Folders.delete(root);
      Files.createDirectory(root);
      file(example.file(), example.before());

      assertThat(build().allFindings()).as(id).extracting(Finding::rule).contains(id);
    }
  }

  @Test
  void saysThatThereIsNothingToCompile() throws Exception {
    file("README", "nothing here");

    assertThatThrownBy(this::build)
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("no source files");
  }
}
