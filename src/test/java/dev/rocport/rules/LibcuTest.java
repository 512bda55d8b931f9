package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.Main;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.device.TestDevice;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What libcu++'s names become compiles in kernels, and works where it can be run: on the host. */
@Tag("toolchain")
final class LibcuTest {
  private static final Path CHECKS = Path.of("hip-runtime/checks");
  private static final Path INCLUDE = Path.of("hip-runtime/include").toAbsolutePath();
  private static final Pattern NAME = Pattern.compile("cuda::std(?:::\\w+)+");
  private static final Set<String> SHIMS =
      Set.of("SYNC-ATOMIC", "SYNC-BARRIER", "SYNC-PIPELINE", "STD-UTILITY");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "libcu-sync/sync.cu, gfx90a gfx942",
    "libcu-std/names.cu, gfx90a gfx942",
    "names/names.cu, gfx90a"
  })
  void theCheckProgramsPortAndCompile(String program, String targets) throws Exception {
    Changes changes = port(RuleCatalog.builtIn(), Files.readString(CHECKS.resolve(program)));
    assertThat(changes.findings()).extracting(Finding::severity).containsOnly(Severity.NOTE);
    compile(
        new String(changes.edits().apply(changes.file().bytes()), StandardCharsets.UTF_8),
        List.of(targets.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942"})
  void synchronisationPrintsWhatAnNvidiaGpuPrints(String gpu) throws Exception {
    Path out = folder.resolve("port");
    Path in = Files.createDirectories(folder.resolve("in"));
    Files.copy(CHECKS.resolve("libcu-sync/sync.cu"), in.resolve("sync.cu"));
    run("port", in.toString(), "--out", out.toString(), "--quiet");
    run("build", out.toString(), "--target", gpu, "--quiet");
    Path program = out.resolve("build-rocport/bin/sync").toAbsolutePath();
    TestDevice.Run run = TestDevice.run(gpu, out, 300, List.of(program.toString()));
    assertThat(run.out())
        .as(run.err())
        .isEqualTo(Files.readString(CHECKS.resolve("libcu-sync/expected.txt")));
    assertThat(run.code()).isZero();
  }

  private static void run(String... arguments) {
    StringWriter out = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(out), arguments);
    assertThat(code).as(String.join(" ", arguments) + "\n" + out).isZero();
  }

  /** Each of them in device code, so that one that is for the host only fails to compile. */
  @Test
  void theCheckProgramUsesEveryNameThatBecomesTheStandardLibrarys() throws IOException {
    Matcher m = NAME.matcher(Files.readString(CHECKS.resolve("libcu-std/names.cu")));
    Set<String> used = m.results().map(r -> r.group()).collect(Collectors.toSet());
    assertThat(names(Set.of("API-LIBCUDACXX")).map(ApiName::cuda))
        .hasSizeGreaterThan(200)
        .allSatisfy(n -> assertThat(used).anyMatch(u -> (u + "::").startsWith(n + "::")));
  }

  @Test
  void everyTargetOfTheHeadersIsThere() throws Exception {
    StringBuilder source = new StringBuilder("#include <hip/hip_runtime.h>\n");
    for (Rule rule : RuleCatalog.builtIn().rules()) {
      if (SHIMS.contains(rule.id())) {
        rule.headers().forEach(h -> source.append("#include \"").append(h).append("\"\n"));
      }
    }
    source.append("namespace check {\n");
    List<String> targets = names(SHIMS).map(ApiName::hip).distinct().toList();
    assertThat(targets).hasSizeGreaterThan(60);
    for (int i = 0; i < targets.size(); i++) {
      String target = targets.get(i);
      source.append(
          target.endsWith(">")
              ? "using T%d = %s;\n".formatted(i, target)
              : "using ::%s;\n".formatted(target));
    }
    compile(source.append("}\n").toString(), List.of("gfx90a"));
  }

  @Test
  void theHostSideWorks() throws Exception {
    TestCompiler.Compiled compiled =
        TestCompiler.compile(
            CHECKS.resolve("libcu-sync/host.cpp"),
            List.of(
                "-std=c++14", "-O1", "-pthread", "-Wall", "-Wextra", "-Werror", "-I" + INCLUDE));
    Path program = compiled.made();
    assertThat(compiled.messages()).isEmpty();
    assertThat(run(List.of(program.toString()))).matches("[1-9]\\d+ checks, 0 failed\n");
  }

  /** The folders are read in order: a shim takes precedence over the API table. */
  @Test
  void ofTwoRowsForAQualifiedNameTheLaterWins() throws IOException {
    Path rules = folder.resolve("rules");
    try (Stream<Path> files = Files.walk(Path.of("rules"))) {
      for (Path p : files.filter(Files::isRegularFile).toList()) {
        Path to = rules.resolve(Path.of("rules").relativize(p).toString());
        Files.createDirectories(to.getParent());
        Files.copy(p, to);
      }
    }
    Path table = rules.resolve("api/libcudacxx.tsv");
    Files.writeString(
        table, Files.readString(table) + "cuda::atomic\t\t\tqualified\t\tUse something else.\n");
    Changes changes = port(RuleCatalog.of(RuleLoader.load(rules)), "cuda::atomic<int> hits;\n");
    assertThat(changes.findings()).isEmpty();
    assertThat(new String(changes.edits().apply(changes.file().bytes()), StandardCharsets.UTF_8))
        .contains("rocport::atomic<int> hits;");
  }

  private static Stream<ApiName> names(Set<String> families) {
    return RuleCatalog.builtIn().names().stream()
        .filter(n -> families.contains(n.family()) && n.isSupported())
        .filter(
            n ->
                switch (n.kind()) {
                  case QUALIFIED, DEVICE, TYPEDEF -> true;
                  default -> false;
                });
  }

  private static Changes port(RuleCatalog catalog, String text) {
    CudaPorter porter = new CudaPorter(catalog, PortOptions.DEFAULT);
    SourceFile file = new SourceFile("program.cu", text.getBytes(StandardCharsets.UTF_8));
    return porter.port(file, ProjectIndex.of(List.of(porter.scan(file))));
  }

  private void compile(String source, List<String> targets) throws Exception {
    Path file = folder.resolve("program.hip");
    Files.writeString(file, source);
    List<String> arguments = new ArrayList<>(TestToolchain.get().hipCompile(targets));
    arguments.addAll(List.of("-std=c++17", "-O1", "-c", "--offload-device-only", "-I" + INCLUDE));
    TestCompiler.Compiled compiled = TestCompiler.compile(file, arguments);
    compiled.made();
    assertThat(compiled.messages()).as(source).isEmpty();
  }

  /** The output, after the exit code was found to be 0. */
  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
