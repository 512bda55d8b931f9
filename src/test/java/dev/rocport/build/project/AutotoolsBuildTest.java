package dev.rocport.build.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.BuildResult;
import dev.rocport.build.Builder;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.unit.CodeObject;
import dev.rocport.core.result.Finding;
import dev.rocport.io.Folders;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Projects that are configured, with the real autotools, compiler and make. */
@Tag("toolchain")
class AutotoolsBuildTest {
  /** Wants to be told where ROCm is, and compiles and links with what is there. */
  private static final String ROCM =
      """
      AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda@<:@=PATH@:>@], [CUDA])])
      AC_ARG_WITH([rocm], [AS_HELP_STRING([--with-rocm@<:@=PATH@:>@], [ROCm])], [], [with_rocm=no])
      AC_ARG_WITH([rocm-arch], [AS_HELP_STRING([--with-rocm-arch=LIST], [GPUs])])
      AS_IF([test "x$with_cuda" != xno], [AC_MSG_ERROR([CUDA was not turned off])])
      AS_IF([test "x$with_rocm_arch" != xgfx90a,gfx942], [AC_MSG_ERROR([no GPUs])])
      AC_PATH_PROG([HIPCC], [hipcc], [no], [$with_rocm/bin])
      CPPFLAGS="$CPPFLAGS -D__HIP_PLATFORM_AMD__ -I$with_rocm/include"
      LDFLAGS="$LDFLAGS -L$with_rocm/lib"
      AC_CHECK_HEADER([hip/hip_runtime_api.h], [], [AC_MSG_ERROR([no HIP headers])])
      AC_CHECK_LIB([amdhip64], [hipMalloc], [], [AC_MSG_ERROR([no HIP runtime])])
      """;

  private static final String KERNEL =
      """
      #include <hip/hip_runtime.h>
      __global__ void kernel(float* p) { p[threadIdx.x] = 1; }
      extern "C" void run(float* p) { kernel<<<1, 64>>>(p); }
      """;

  @TempDir private static Path shared;
  @TempDir private Path folder;
  private Path root;
  private final List<String> steps = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void root() throws IOException {
    root = Files.createDirectory(folder.toRealPath().resolve("tree"));
  }

  private Path file(String name, String text) throws IOException {
    Files.createDirectories(root.resolve(name).getParent());
    return Files.writeString(root.resolve(name), text);
  }

  /** A program of one C file. */
  private void plainProject(String checks) throws IOException {
    file(
        "configure.ac",
        """
        AC_INIT([plain], [1.0])
        AM_INIT_AUTOMAKE([foreign])
        AC_PROG_CC
        %s
        AC_CONFIG_FILES([Makefile])
        AC_OUTPUT
        """
            .formatted(checks));
    file("Makefile.am", "bin_PROGRAMS = plain\nplain_SOURCES = plain.c\n");
    file("plain.c", "int main(void) { return 0; }\n");
  }

  /**
   * configure keeps its answers about the compiler and the shell for the other tests, and runs in
   * the small shell: it starts thousands of processes.
   */
  private static Map<String, String> answers() throws IOException {
    Path site = shared.resolve("site");
    Files.writeString(site, "cache_file='" + shared.resolve("answers") + "'\n");
    return Map.of("CONFIG_SITE", site.toString(), "CONFIG_SHELL", "/bin/sh");
  }

  private BuildResult build(Map<String, String> environment, String... configureArguments)
      throws Exception {
    steps.clear();
    BuildOptions options =
        new BuildOptions(
            root,
            root.resolve("build-rocport"),
            List.of("gfx90a", "gfx942"),
            2,
            false,
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(),
            false,
            false,
            List.of(),
            List.of(configureArguments),
            Duration.ofMinutes(30),
            Optional.of(folder.resolve("cache")),
            environment,
            false);
    return Builder.of(
            options,
            TestToolchain.get(),
            RuleCatalog.builtIn(),
            Optional.empty(),
            (done, total, what) -> steps.add(what))
        .build();
  }

  private static Finding only(BuildResult r) {
    assertThat(r.allFindings()).hasSize(1);
    return r.allFindings().getFirst();
  }

  private List<String> tree() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(f -> root.relativize(f).toString())
          .filter(f -> !f.startsWith("build-rocport/"))
          .sorted()
          .toList();
    }
  }

  @Test
  void buildsWithOneJobWhatLacksPrerequisites() throws Exception {
    plainProject("");
    file(
        "Makefile.am",
        """
        bin_PROGRAMS = plain
        plain_SOURCES = plain.c
        check_PROGRAMS = other
        other_SOURCES = plain.c
        all-local: values.h late
        values.h:
        \tsleep 1
        \ttouch $@
        late:
        \ttest -e values.h
        \ttouch $@
        """);

    BuildResult r = build(answers());

    assertThat(r.allFindings()).isEmpty();
    assertThat(steps).contains("make failed, but not a compiler: running make again with one job");
  }

  @Test
  void aLibraryOfKernelsWithLibtoolIsConfiguredOnceAndReportedWhole() throws Exception {
    file(
        "configure.ac",
        """
        AC_INIT([lib], [1.0])
        AC_CONFIG_MACRO_DIR([m4])
        AM_INIT_AUTOMAKE([foreign subdir-objects])
        AC_PROG_CC
        LT_INIT([disable-static])
        AX_ROCM
        AC_CONFIG_FILES([Makefile])
        AC_OUTPUT
        """);
    file("m4/ax_rocm.m4", "AC_DEFUN([AX_ROCM], [\n" + ROCM + "])\n");
    file(
        "Makefile.am",
        """
        ACLOCAL_AMFLAGS = -I m4
        SUFFIXES = .cu
        lib_LTLIBRARIES = libk.la
        libk_la_SOURCES = src/host.c src/kernel.cu
        check_PROGRAMS = use
        use_SOURCES = src/use.c
        use_LDADD = libk.la
        check-local:
        \tfalse
        .cu.lo:
        \t$(SHELL) $(srcdir)/lt.sh $@ $(HIPCC) -O2 -c $<
        """);
    file(
        "lt.sh",
        """
        lo=$1; shift
        d=$(dirname $lo); n=$(basename $lo .lo)
        mkdir -p $d/.libs
        "$@" -fPIC -o $d/.libs/$n.o && "$@" -o $d/$n.o || exit 1
        printf "# Generated by lt.sh for libtool\\npic_object='.libs/$n.o'\\nnon_pic_object='$n.o'\\n" > $lo
        """);
    file("src/host.c", "void run(float*);\nvoid twice(float* p) { run(p); run(p); }\n");
    file("src/kernel.cu", KERNEL);
    file("src/use.c", "void twice(float*);\nint main(void) { twice(0); return 0; }\n");
    List<String> before = tree();

    BuildResult first = build(answers());

    assertThat(first.allFindings()).isEmpty();
    assertThat(first.source()).isEqualTo("autotools");
    assertThat(steps).contains("autoreconf", "configure");
    assertThat(first.units())
        .extracting(UnitResult::path)
        .containsExactly("src/host.c", "src/kernel.cu", "src/use.c");
    assertThat(first.links())
        .extracting(LinkResult::name)
        .containsExactly(".libs/libk.so.0.0.0", ".libs/use");
    assertThat(first.links().getFirst().code())
        .extracting(CodeObject::target)
        .containsExactly("gfx90a", "gfx942");
    assertThat(tree()).containsExactlyElementsOf(withFolder(before));

    file("src/host.c", "void run(float*);\nvoid twice(float* p) { run(p); run(0); }\n");
    BuildResult second = build(answers());
    assertThat(steps).contains("already configured").doesNotContain("configure");
    assertThat(second.allFindings()).isEmpty();
    assertThat(second.units())
        .extracting(UnitResult::status)
        .containsExactly(
            UnitResult.Status.COMPILED, UnitResult.Status.CACHED, UnitResult.Status.CACHED);
    assertThat(second.links()).hasSize(2);

    file("src/kernel.cu", KERNEL.replace("= 1", "= one"));
    Finding error = only(build(answers()));
    assertThat(error.path()).isEqualTo("src/kernel.cu");
    assertThat(error.line()).isEqualTo(2);
    assertThat(error.message()).contains("use of undeclared identifier 'one'");
  }

  private static List<String> withFolder(List<String> names) {
    return Stream.concat(names.stream(), Stream.of("build-rocport")).sorted().toList();
  }

  @Test
  void aChangedBuildFileConfiguresAgain() throws Exception {
    plainProject("");
    assertThat(build(answers()).allFindings()).isEmpty();
    file("Makefile.am", "bin_PROGRAMS = other\nother_SOURCES = plain.c\n");
    BuildResult again = build(answers());
    assertThat(again.allFindings()).isEmpty();
    assertThat(steps).contains("autoreconf", "configure");
    assertThat(again.links()).extracting(LinkResult::name).containsExactly("other");
    build(answers(), "--disable-dependency-tracking");
    assertThat(steps).contains("configure");
  }

  @Test
  void aConfigureThatFailsSaysWhyWithItsLog() throws Exception {
    plainProject(
        """
        AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <nowhere.h>]])], [],
          [AC_MSG_ERROR([nowhere.h is needed])])
        """);
    BuildResult failed = build(answers());
    assertThat(only(failed).path()).isEqualTo("configure.ac");
    assertThat(only(failed).rule()).isEqualTo("BUILD-PROJECT");
    assertThat(only(failed).message())
        .startsWith("configure failed with exit code 1: nowhere.h is needed (config.log: ")
        .contains("'nowhere.h' file not found");
    assertThat(failed.units()).isEmpty();
  }

  @Test
  void autoreconfThatFailsSaysWhy() throws Exception {
    plainProject("AC_NO_SUCH_MACRO");
    assertThat(only(build(answers())).message())
        .startsWith("autoreconf failed: ")
        .contains("AC_NO_SUCH_MACRO");
  }

  @Test
  void aMakefileOfThePeopleGoesFirstOneThatConfigureMadeDoesNot() throws Exception {
    plainProject("");
    file("Makefile", "# Makefile.  Generated from Makefile.in by configure.\nall:\n\tfalse\n");
    file("config.status", "exit 1\n");
    BuildResult configured = build(answers());
    assertThat(configured.source()).isEqualTo("autotools");
    assertThat(configured.allFindings()).isEmpty();
    file("Makefile", "all:\n\tgcc -c plain.c -o plain.o\n");
    assertThat(build(answers()).source()).isEqualTo("make");
  }

  /** Compilers, binutils and autotools are hidden: rocport's own do it all. */
  @Test
  void aBareMachineIsEnough() throws Exception {
    plainProject("");
    Path bare = Files.createDirectory(folder.resolve("bare"));
    String hidden =
        "(auto|aclocal|libtool|gcc|g\\+\\+|c\\+\\+|cpp|perl|clang|llvm|x86_64|gmake|mpi).*"
            + "|m4|make|cc|ld|ld\\..*|as|ar|nm|ranlib|strip|objdump|objcopy|readelf";
    for (String from : List.of("/usr/bin", "/bin")) {
      try (Stream<Path> files = Files.list(Path.of(from))) {
        for (Path file : files.sorted().toList()) {
          String name = file.getFileName().toString();
          if (!name.matches(hidden) && !Files.exists(bare.resolve(name)) && Files.exists(file)) {
            Files.createSymbolicLink(bare.resolve(name), file);
          }
        }
      }
    }
    try {
      BuildResult built = build(Map.of("PATH", bare.toString()));
      assertThat(built.allFindings()).isEmpty();
      assertThat(built.links()).extracting(LinkResult::name).containsExactly("plain");
    } finally {
      Folders.delete(bare);
    }
  }
}
