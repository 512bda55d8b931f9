package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * hiprtc keeps results for other processes. A compiler in the place of {@code hipcc} counts how
 * often it is started.
 */
@Tag("toolchain")
final class KeptCompilesTest {
  private static final String PROGRAM =
      """
      #include <hip/hiprtc.h>
      #include <cstdio>
      #include <string>
      int main(int count, char** arguments) {
        hiprtcProgram program;
        const char* header = arguments[2];
        const char* name = "own.h";
        hiprtcCreateProgram(&program, arguments[1], "put.cu", 1, &header, &name);
        hiprtcAddNameExpression(program, "put<float>");
        int result = hiprtcCompileProgram(program, count - 3, (const char**)arguments + 3);
        size_t size = 0;
        hiprtcGetProgramLogSize(program, &size);
        std::string log(size, ' ');
        hiprtcGetProgramLog(program, &log[0]);
        const char* lowered = "";
        hiprtcGetLoweredName(program, "put<float>", &lowered);
        size = 0;
        hiprtcGetCodeSize(program, &size);
        std::string code(size, ' ');
        hiprtcGetCode(program, &code[0]);
        std::printf("%d %s %s %zu", result, log.c_str(), lowered, std::hash<std::string>()(code));
      }
      """;

  /** Writes other bytes each time, so that a kept result differs from a new one. */
  private static final String COMPILER =
      """
      #!/bin/sh
      echo started >> "%1$s"
      while [ $# -gt 0 ]; do
        case $1 in
          -o) object=$2 ;;
          -MF) rules=$2 ;;
        esac
        source=$1
        shift
      done
      echo "warning: once"
      wc -l < "%1$s" > "$object"
      [ -z "${rules:-}" ] || printf 'p.o: /dev/null \\\\\\n  %%s %2$s\\n' "$source" > "$rules"
      """;

  private static final String SOURCE = "template <class T> __global__ void put(T* x) { *x = N; }";
  private static final String HEADER = "#define N 3";

  private static Path program;
  private static HipRuntime runtime;
  private static Path library;

  @TempDir private Path folder;

  @BeforeAll
  static void compile(@TempDir Path scratch) throws Exception {
    Toolchain toolchain = TestToolchain.since("6.4");
    runtime = TestToolchain.runtime();
    runtime.compile(List.of(Library.HIPRTC), System.err::println);
    library = runtime.libraries().resolve("libhiprtc.so").toRealPath();
    Path source = Files.writeString(scratch.resolve("compile.cpp"), PROGRAM);
    program = scratch.resolve("compile");
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(toolchain.hostCompile());
    command.addAll(List.of("-std=c++17", "-fuse-ld=lld", "-L" + runtime.libraries()));
    command.addAll(List.of("-o", program.toString(), source.toString()));
    command.addAll(List.of("-lhiprtc", "-lamdhip64", "-lstdc++"));
    assertThat(ToolRun.of(command)).matches(ToolRun::ok);
  }

  @BeforeEach
  void layLibraryBesideTheCompiler() throws IOException {
    Path libraries = Files.createDirectories(folder.resolve("rocm/libraries"));
    Files.copy(library, libraries.resolve(library.getFileName()));
    Files.writeString(header(), "");
    compiler(COMPILER.formatted(count(), header()));
  }

  private void compiler(String script) throws IOException {
    Path hipcc = Files.createDirectories(folder.resolve("rocm/bin")).resolve("hipcc");
    Files.writeString(hipcc, script);
    Files.setPosixFilePermissions(hipcc, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Path count() {
    return folder.resolve("count");
  }

  /** A header that the compiler reads from the disk. */
  private Path header() {
    return folder.resolve("read.h");
  }

  private long started() throws IOException {
    return Files.exists(count()) ? Files.readAllLines(count()).size() : 0;
  }

  /** Runs the program, with the arguments of the source, the header, and the options. */
  private String run(Map<String, String> variables, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    Map<String, String> environment = new TreeMap<>(variables);
    environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    environment.put(
        "LD_LIBRARY_PATH", folder.resolve("rocm/libraries") + ":" + runtime.libraries());
    ToolRun run = ToolRun.of(command, folder, environment, Duration.ofMinutes(1));
    assertThat(run.output()).startsWith("0 ");
    return run.output();
  }

  private String run(String... options) throws IOException {
    return run(
        Map.of(),
        Stream.concat(Stream.of(SOURCE, HEADER, "--gpu-architecture=gfx90a"), Stream.of(options))
            .toArray(String[]::new));
  }

  @Test
  void secondProcessStartsNoCompiler() throws IOException {
    String hipcc = runtime.programs().resolve("hipcc").toString();
    compiler("#!/bin/sh\necho started >> '%s'\nexec '%s' \"$@\"\n".formatted(count(), hipcc));
    String[] all = {"#include \"own.h\"\n" + SOURCE, HEADER, "--gpu-architecture=gfx90a"};

    String first = run(Map.of(), all);
    String second = run(Map.of(), all);

    assertThat(first).contains("_Z3putIfEvPT_");
    assertThat(second).isEqualTo(first);
    assertThat(started()).isEqualTo(1);
  }

  @Test
  void keptResultHasTheMessagesOfTheCompiler() throws IOException {
    String first = run();

    assertThat(first).contains("warning: once");
    assertThat(run()).isEqualTo(first);
    assertThat(started()).isEqualTo(1);
  }

  @Test
  void anotherSourceHeaderOptionOrCompilerIsCompiled() throws IOException {
    run();
    run(Map.of(), SOURCE + " ", HEADER, "--gpu-architecture=gfx90a");
    run(Map.of(), SOURCE, HEADER + " ", "--gpu-architecture=gfx90a");
    run(Map.of(), SOURCE, HEADER, "--gpu-architecture=gfx942");
    run("-DX");
    run("-ffast-math");
    assertThat(started()).isEqualTo(6);

    compiler(COMPILER.formatted(count(), header()) + "# changed\n");
    run();
    assertThat(started()).isEqualTo(7);
  }

  @Test
  void headerThatHasChangedOrIsGoneIsReadAgain() throws IOException {
    run();
    Files.writeString(header(), "changed");
    String changed = run();
    assertThat(run()).isEqualTo(changed);
    assertThat(started()).isEqualTo(2);

    Files.delete(header());
    run();
    assertThat(started()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-Ifolder", "-include", "-Xclang", "-mllvm", "-fplugin=x", "-Wp,-Ifolder"})
  void optionsThatMayNameFilesAreCompiledEachTime(String option) throws IOException {
    run(option, "-DX");
    run(option, "-DX");

    assertThat(started()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CPATH=/nowhere", "CPLUS_INCLUDE_PATH=/nowhere", "ROCPORT_RTC_CACHE=0"})
  void variablesThatChangeWhatIsReadCompileEachTime(String variable) throws IOException {
    String[] parts = variable.split("=");
    for (int i = 0; i < 2; i++) {
      run(Map.of(parts[0], parts[1]), SOURCE, HEADER, "--gpu-architecture=gfx90a");
    }

    assertThat(started()).isEqualTo(2);
  }

  @Test
  void sourceWithTheTimeIsCompiledEachTime() throws IOException {
    for (int i = 0; i < 2; i++) {
      run(Map.of(), SOURCE + "// __TIME__", HEADER, "--gpu-architecture=gfx90a");
    }

    assertThat(started()).isEqualTo(2);
  }

  @Test
  void damagedEntryIsCompiledAgainAndReplaced() throws IOException {
    run();
    Path entry = entry();
    byte[] bytes = Files.readAllBytes(entry);
    bytes[bytes.length - 1] ^= 1;
    Files.write(entry, bytes);
    run();
    run();

    assertThat(started()).isEqualTo(2);
  }

  @Test
  void entryOfAnotherCompileOrThatOthersMayWriteIsNotUsed() throws IOException {
    run();
    Path entry = entry();
    Files.setPosixFilePermissions(entry, PosixFilePermissions.fromString("rw-rw-rw-"));
    run();
    assertThat(started()).isEqualTo(2);

    Path first = entry();
    byte[] bytes = Files.readAllBytes(first);
    run("-DX");
    for (Path other : entries()) {
      Files.write(other, bytes);
    }
    run("-DX");
    assertThat(started()).isEqualTo(4);
  }

  private Path entry() throws IOException {
    List<Path> all = entries();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("cache/rocport/objects"))) {
      return files.filter(f -> f.toString().endsWith(".r")).toList();
    }
  }
}
