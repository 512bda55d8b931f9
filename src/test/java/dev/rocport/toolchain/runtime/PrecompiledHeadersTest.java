package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.Folders;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Precompiled headers change neither objects nor messages, and apply only where that is so. */
@Tag("toolchain")
class PrecompiledHeadersTest {
  private static final String KERNEL =
      """
      // Comments and standard headers may come first.
      #include <cstdio>
      #include <hip/hip_runtime.h>
      __global__ void twice(float* p) { p[threadIdx.x] *= 2.0f; }
      int main() { twice<<<1, 64>>>(nullptr); std::puts("x"); }
      """;

  /** A cache with headers for {@link #KERNEL} and for sources that begin otherwise. */
  @TempDir private static Path filled;

  @TempDir private Path folder;

  private static Exec.Outcome run(Path cache, Path folder, boolean on, String... more)
      throws Exception {
    return run(cache, folder, on ? "1" : "0", more);
  }

  private static Exec.Outcome run(Path cache, Path folder, String mode, String... more)
      throws Exception {
    Toolchain toolchain = TestToolchain.get();
    List<String> command = new ArrayList<>(PrecompiledHeaders.compiler(toolchain));
    command.addAll(toolchain.hipCompile(List.of("gfx942")));
    // Without this, clang makes up a name for the unit that depends on the name of the output.
    command.addAll(List.of("-cuid=1", "-O2", "-gline-tables-only"));
    command.addAll(List.of(more));
    Map<String, String> environment =
        Map.of("XDG_CACHE_HOME", cache.toString(), "ROCPORT_PCH", mode);
    return Exec.run(command, folder, environment, Duration.ofMinutes(5));
  }

  private Exec.Outcome compile(boolean on, String source, String... more) throws Exception {
    return compile(filled, on, source, more);
  }

  private Exec.Outcome compile(Path cache, boolean on, String source, String... more)
      throws Exception {
    Files.writeString(folder.resolve("unit.hip"), source);
    List<String> arguments = new ArrayList<>(List.of("-c", "unit.hip", "-o", on + ".o"));
    arguments.addAll(List.of(more));
    return run(cache, folder, on, arguments.toArray(String[]::new));
  }

  @BeforeAll
  static void fill() throws Exception {
    for (String source : List.of(KERNEL, "int x;\n")) {
      Path file = Files.writeString(filled.resolve("unit.hip"), source);
      for (int i = 0; i < 2; i++) {
        Exec.Outcome made = run(filled, filled, true, "-c", file + "", "-o", filled + "/o");
        assertThat(made.code()).as(made.stderr()).isZero();
      }
    }
    assertThat(precompiled(filled)).hasSize(4);
  }

  private static List<Path> precompiled(Path cache) throws IOException {
    return Folders.files(cache.resolve("rocport/headers")).stream()
        .filter(f -> f.toString().endsWith(".pch"))
        .toList();
  }

  @Test
  void objectsAreTheSame() throws Exception {
    Exec.Outcome with = compile(true, KERNEL, "-MD", "-MF", "deps");
    Exec.Outcome without = compile(false, KERNEL);

    assertThat(with.code()).as(with.stderr()).isZero();
    assertThat(without.code()).as(without.stderr()).isZero();
    assertThat(folder.resolve("true.o")).hasSameBinaryContentAs(folder.resolve("false.o"));
    // A header that make would miss when the cache is cleared must not be a prerequisite.
    assertThat(Files.readString(folder.resolve("deps")))
        .contains("hip/hip_runtime.h")
        .doesNotContain(filled.toString());
  }

  @Test
  void objectsForSeveralTargetsAreTheSame() throws Exception {
    assertThat(compile(true, KERNEL, "--offload-arch=gfx90a").code()).isZero();
    Path own = folder.resolve("cache");
    assertThat(compile(own, true, KERNEL, "--offload-arch=gfx90a").code()).isZero();
    assertThat(compile(own, true, KERNEL, "--offload-arch=gfx90a").code()).isZero();
    assertThat(precompiled(own)).hasSize(3);
    assertThat(compile(own, false, KERNEL, "--offload-arch=gfx90a").code()).isZero();

    assertThat(folder.resolve("true.o")).hasSameBinaryContentAs(folder.resolve("false.o"));
  }

  @Test
  void fullDebugInformationIsTheSame() throws Exception {
    assertThat(compile(true, KERNEL, "-g").code()).isZero();
    assertThat(compile(false, KERNEL, "-g").code()).isZero();

    assertThat(folder.resolve("true.o")).hasSameBinaryContentAs(folder.resolve("false.o"));
  }

  /** One that fails takes the place of the program that bundles device code. */
  @Test
  void theDriverStartsNeitherItselfNorTheBundler() throws Exception {
    Path bundler = Files.createDirectory(folder.resolve("b")).resolve("clang-offload-bundler");
    Files.writeString(bundler, "#!/bin/sh\necho not this >&2\nexit 1\n");
    assertThat(bundler.toFile().setExecutable(true)).isTrue();
    String before = "-B" + bundler.getParent();
    Path own = folder.resolve("cache");

    Exec.Outcome first = compile(own, true, KERNEL, before);
    Exec.Outcome second = compile(own, true, KERNEL, before);

    assertThat(first.stderr()).contains("not this");
    assertThat(second.code()).as(second.stderr()).isZero();
    assertThat(second.stderr()).isEmpty();
  }

  @Test
  void headersAreUsed() throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    Files.writeString(own.resolve("of_the_project.h"), "#error not included\n");
    Path copy = damaged();

    // Only then are the damaged files read, and the compile runs again.
    Exec.Outcome made =
        run(copy, folder, true, "-iquote", "own", "-idirafterown", "-c", "unit.hip", "-o", "u.o");

    assertThat(made.code()).as(made.stderr()).isZero();
    assertThat(made.stderr()).isEmpty();
    // The set with the damaged file is gone, to be made again.
    assertThat(precompiled(copy)).hasSize(2);
  }

  @Test
  void compileThatIsToFailOnceDoesNotRunAgain() throws Exception {
    Path copy = damaged();

    Exec.Outcome made = run(copy, folder, "once", "-c", "unit.hip", "-o", "unit.o");

    assertThat(made.code()).isEqualTo(1);
    assertThat(made.stderr()).contains("gfx942.h.pch");
    assertThat(precompiled(copy)).hasSize(4);
  }

  /** A cache with damaged headers for the source that this writes. */
  private Path damaged() throws IOException {
    Path copy = Files.createDirectory(folder.resolve("copy"));
    for (Path file : Folders.files(filled.resolve("rocport"))) {
      Path to = copy.resolve(filled.relativize(file));
      Files.createDirectories(to.getParent());
      Files.copy(file, to);
    }
    for (Path file : precompiled(copy)) {
      Files.writeString(file, "not a precompiled header");
    }
    Files.writeString(folder.resolve("unit.hip"), KERNEL);
    return copy;
  }

  @Test
  void sourceWithoutTheHeaderDoesNotGetIt() throws Exception {
    Exec.Outcome made = compile(true, "__global__ void k(int* p) { *p = threadIdx.x; }\n");

    assertThat(made.code()).isEqualTo(1);
    assertThat(made.stderr()).contains("unit.hip:1:").contains("threadIdx");
  }

  @Test
  void definitionsBeforeTheHeaderApply() throws Exception {
    String source =
        """
        #define hipError_t renamed
        #include <hip/hip_runtime.h>
        renamed e;
        """;

    assertThat(compile(true, source).code()).isZero();
  }

  @Test
  void headersOfTheProjectComeFirst() throws Exception {
    // Which only hip_runtime.h includes.
    Path own = Files.createDirectories(folder.resolve("own/hip"));
    Files.writeString(own.resolve("hip_common.h"), "#error a header of the project\n");

    Exec.Outcome made = compile(true, KERNEL, "-Iown");

    assertThat(made.code()).isEqualTo(1);
    assertThat(made.stderr()).contains("a header of the project");
  }

  @Test
  void messagesAreTheSame() throws Exception {
    String wrong = KERNEL + "int f() { unknown(1); }\n";

    Exec.Outcome with = compile(true, wrong, "-Wall");
    Exec.Outcome without = compile(false, wrong, "-Wall");

    assertThat(with.code()).isEqualTo(without.code()).isEqualTo(1);
    assertThat(with.stderr()).isEqualTo(without.stderr()).contains("unknown");
    String doubtful = KERNEL + "static int f() { int unused; return 1; }\n";
    assertThat(compile(true, doubtful, "-Wall").stderr())
        .isEqualTo(compile(false, doubtful, "-Wall").stderr())
        .contains("-Wunused");
  }

  @Test
  void severalCompilesAtOnceFillTheCache() throws Exception {
    Files.writeString(folder.resolve("unit.hip"), KERNEL);
    List<Callable<Exec.Outcome>> compiles = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String object = i + ".o";
      compiles.add(
          () -> run(folder.resolve("cache"), folder, true, "-c", "unit.hip", "-o", object));
    }
    try (ExecutorService all = Executors.newFixedThreadPool(compiles.size())) {
      for (Future<Exec.Outcome> made : all.invokeAll(compiles)) {
        assertThat(made.get().code()).as(made.get().stderr()).isZero();
      }
    }
    assertThat(folder.resolve("0.o")).hasSameBinaryContentAs(folder.resolve("2.o"));
  }
}
