package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.build.project.AutotoolsProject;
import dev.rocport.cli.Main;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Extras;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ported projects with the real autoreconf, configure and make: for ROCm they build and their
 * programs run on the device; for CUDA a single-source tree configures as the original does.
 */
@Tag("device")
final class ConfigureTest {
  private static final Path PROJECTS = Path.of("src/test/goldens/autotools");
  private static final int MINUTES = 5;

  /** A compiler that writes down what it was told. */
  private static final String NVCC =
      """
      #!/bin/sh
      echo "nvcc $*" >> "$NVCC_LOG"
      out=
      for word; do
        [ -z "$out" ] || [ "$out" != next ] || out=$word
        [ "$word" != -o ] || out=next
      done
      echo 'int scale_gpu(float *x, int n, float by) { return n - n; }' | gcc -x c -fPIC -c -o "$out" -
      """;

  /**
   * A site file of autoconf: configure begins with the answers about the C compiler and the shell
   * that were found for another tree, because finding them takes most of its time. It works on a
   * copy of them.
   */
  private static final String SITE =
      """
      test ! -f '%1$s' || { cache_file=answers; cp '%1$s' answers; }
      """;

  @TempDir private static Path folder;
  private static Path rocm = Path.of("");

  private record Ran(int code, String text) {}

  @BeforeAll
  static void toolchain() throws Exception {
    HipRuntime runtime = TestToolchain.runtime();
    rocm = runtime.root();
    Path known = folder.resolve("known");
    Files.writeString(folder.resolve("site"), SITE.formatted(known));
    // Neither CUDA nor ROCm: they have no part in the answers.
    Path neither = Files.createDirectories(folder.resolve("neither"));
    Path configure = ready("usual", "single-source").resolve("configure");
    Path first = neither.resolve("known");
    require(
        neither, configure.toString(), "--cache-file=" + first, "--with-cuda=no", "--with-rocm=no");
    assertThat(Files.readString(first))
        .contains("lt_cv_")
        .doesNotContain("hip_runtime", "amdhip64", "hipcc", "nvcc");
    Files.move(first, known);
  }

  @TestFactory
  Stream<DynamicTest> projectsBuildAndRun() {
    boolean full = TestProfile.isFull();
    Map<String, String> programs = new TreeMap<>();
    programs.put("usual single-source", "src/scale|gpu 0 2 4 6");
    if (full) {
      programs.put("usual hip", "src/scale|gpu 0 2 4 6");
      programs.put("acinclude hip", "saxpy|gpu 13 26");
      programs.put("acinclude single-source", "saxpy|gpu 13 26");
      programs.put("inline hip", "heat|gpu 2");
      programs.put("inline single-source", "heat|gpu 2");
      programs.put("always hip", "dot|38");
      programs.put("always single-source", "dot|38");
    }
    return programs.entrySet().stream()
        .map(
            e ->
                DynamicTest.dynamicTest(
                    e.getKey(), () -> buildsAndRuns(e.getKey().split(" "), e.getValue())));
  }

  private void buildsAndRuns(String[] project, String program) throws Exception {
    Path configure = ready(project[0], project[1]).resolve("configure");
    Path tree = Files.createDirectories(folder.resolve("run-" + project[0] + project[1]));
    require(tree, configure.toString(), "--with-rocm=" + rocm, "--with-rocm-arch=gfx90a,gfx942");
    require(tree, "make");
    String[] wanted = program.split("\\|");
    for (String target : List.of("gfx90a", "gfx942")) {
      TestDevice.Run run =
          TestDevice.run(target, tree, 120, List.of(tree.resolve(wanted[0]).toString()));
      assertThat(run).isEqualTo(new TestDevice.Run(0, wanted[1] + "\n", ""));
    }
  }

  @Test
  void configureSaysWhatIsWrong() throws Exception {
    Path single = ready("usual", "single-source");
    assertThat(fails(single, "--with-rocm=" + rocm, "--with-cuda=/usr"))
        .contains("both CUDA and ROCm are requested, but a build supports only one of them");
    assertThat(fails(single, "--with-rocm=/nowhere"))
        .contains("--with-rocm: there is no bin/hipcc in /nowhere");
    assertThat(fails(single, "--with-rocm=" + rocm, "--with-rocm-arch=sm_70"))
        .contains("'sm_70' is not an AMD GPU");
    Path empty = Files.createDirectories(folder.resolve("empty/bin"));
    Files.createSymbolicLink(empty.resolve("hipcc"), rocm.resolve("bin/hipcc"));
    assertThat(fails(single, "--with-rocm=" + empty.getParent()))
        .contains("include/hip/hip_runtime_api.h was not found for");
    Path hip = ready("usual", "hip");
    assertThat(fails(hip, "--with-cuda=/usr"))
        .contains("configure the original tree to build for CUDA");
  }

  /** The runtime in lib64 goes before the one in lib. */
  @Test
  void theRuntimeIsFoundInLib64() throws Exception {
    Path configure = ready("usual", "single-source").resolve("configure");
    Path tree = Files.createDirectories(folder.resolve("lib64"));
    Path home = Files.createDirectories(folder.resolve("home"));
    for (String name : List.of("bin", "include", "lib")) {
      Files.createSymbolicLink(home.resolve(name), rocm.resolve(name));
    }
    require(tree, configure.toString(), "--with-rocm=" + home);
    assertThat(Files.readString(tree.resolve("src/Makefile")))
        .contains("ROCM_LIBS = -L" + home + "/lib -lamdhip64");
    Files.createSymbolicLink(home.resolve("lib64"), rocm.resolve("lib"));
    require(tree, configure.toString(), "--with-rocm=" + home);
    assertThat(Files.readString(tree.resolve("src/Makefile")))
        .contains("ROCM_LIBS = -L" + home + "/lib64 -lamdhip64");
  }

  /** With CUDA, nvcc is told the same, and the library is linked from the same objects. */
  @Test
  void forCudaNothingIsDifferent() throws Exception {
    Path cuda = folder.resolve("cuda");
    Files.createDirectories(cuda.resolve("bin"));
    Files.createDirectories(cuda.resolve("include"));
    Files.createDirectories(cuda.resolve("lib64"));
    Files.writeString(cuda.resolve("bin/nvcc"), NVCC);
    Files.setPosixFilePermissions(
        cuda.resolve("bin/nvcc"), PosixFilePermissions.fromString("rwxr-xr-x"));
    run(
        folder,
        List.of("gcc", "-shared", "-o", cuda + "/lib64/libcudart.so", "-x", "c", "/dev/null"));
    Path original = folder.resolve("original");
    copy(PROJECTS.resolve("usual/input"), original);
    require(original, "autoreconf", "-i");
    Path ported = Path.of("");
    List<String> told = new ArrayList<>();
    for (Path tree : List.of(original, ready("usual", "single-source"))) {
      ported = Files.createDirectories(folder.resolve("cuda-" + tree.getFileName()));
      require(ported, tree + "/configure", "--with-cuda=" + cuda, "--with-cuda-arch=sm_90");
      require(ported, "make");
      String log = Files.readString(ported.resolve("nvcc.log"));
      told.add(log.replace(tree.toString(), "."));
      assertThat(Files.readString(ported.resolve("config.h"))).contains("#define HAVE_CUDA 1");
    }
    assertThat(told.getFirst()).contains("-arch=sm_90").contains("-Xcompiler");
    assertThat(told.getLast()).isEqualTo(told.getFirst());
    assertThat(Files.readString(ported.resolve("config.h"))).doesNotContain("#define HAVE_ROCM");
  }

  /** A ported project with a configure, made once. */
  private static Path ready(String project, String style) throws Exception {
    Path tree = folder.resolve(project + "-" + style);
    if (!Files.exists(tree)) {
      port(project, style, tree);
      require(tree, "autoreconf", "-i");
    }
    return tree;
  }

  private static void port(String project, String style, Path out) {
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            "port",
            PROJECTS.resolve(project).resolve("input").toString(),
            "--out",
            out.toString(),
            "--style",
            style);
    assertThat(code).as(err.toString()).isZero();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path at = to.resolve(from.relativize(file).toString());
        Files.copy(file, at, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static void require(Path tree, String... command) throws Exception {
    Ran ran = run(tree, Arrays.asList(command));
    assertThat(ran.code()).as(ran.text()).isZero();
  }

  private static String fails(Path tree, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("./configure"));
    command.addAll(Arrays.asList(options));
    Ran ran = run(tree, command);
    assertThat(ran.code()).as(ran.text()).isEqualTo(1);
    return ran.text();
  }

  private static Ran run(Path tree, List<String> command) throws Exception {
    Path log = Files.createTempFile(folder, "run", ".log");
    // Looks on the PATH that is set here, not on that of the tests.
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of("env")));
    builder.command().addAll(command);
    Map<String, String> environment = new HashMap<>(builder.environment());
    Extras.require(AutotoolsProject.TOOLS, ToolchainRequest.defaults(), System.err::println)
        .into(environment);
    environment.put("CONFIG_SITE", folder.resolve("site").toString());
    // bash, which configure would look for, takes longer to start its thousands of processes.
    environment.put("CONFIG_SHELL", "/bin/sh");
    environment.put("NVCC_LOG", tree.resolve("nvcc.log").toString());
    environment.remove("ROCM_PATH");
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process =
        builder
            .directory(tree.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(command + " did not end: " + Files.readString(log));
    }
    String text = Files.readString(log, StandardCharsets.ISO_8859_1);
    return new Ran(process.exitValue(), text);
  }
}
