package dev.rocport.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gates that hold, and reports that are compared. */
class GateCommandTest {
  private static final String UNKNOWN =
      "#include <cuda.h>\nint f() { return cuGraphicsD3D9RegisterResource(%d); }\n";

  @TempDir private Path folder;
  private Path tree;

  @BeforeEach
  void tree() throws IOException {
    tree = Files.createDirectories(folder.resolve("tree"));
    write("a.cpp", UNKNOWN.formatted(1));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(tree.resolve(name), text);
  }

  private CommandLines gate(String... more) {
    String[] args = new String[more.length + 2];
    args[0] = "gate";
    args[1] = tree.toString();
    System.arraycopy(more, 0, args, 2, more.length);
    return CommandLines.run(args);
  }

  @Test
  void anErrorFailsWithoutAnyConfiguration() {
    CommandLines ran = gate();
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("a.cpp:2:").contains("gate failed: 1 finding");
  }

  @Test
  void aThresholdAllowsSomeAndNotMore() throws IOException {
    write(".rocport.yaml", "gate:\n  thresholds:\n    - rules: API-*\n      most: 1\n");
    CommandLines kept = gate();
    assertThat(kept.out()).contains("kept").contains("gate passed");
    assertThat(kept.code()).isZero();
    write("b.cpp", UNKNOWN.formatted(2));
    CommandLines exceeded = gate();
    assertThat(exceeded.out()).contains("exceeded").contains("a.cpp:2:").contains("b.cpp:2:");
    assertThat(exceeded.code()).isEqualTo(1);
  }

  @Test
  void aThresholdNamesAFamily() throws IOException {
    write(".rocport.yaml", "gate:\n  thresholds: [{rules: 'api/*', most: 0}]\n");
    assertThat(gate().code()).isEqualTo(1);
    write(".rocport.yaml", "gate:\n  thresholds: [{rules: '*', severity: error, most: 9}]\n");
    assertThat(gate().code()).isZero();
  }

  @Test
  void theBaselineAndTheFolderOfTheConfigurationCount() throws IOException {
    write(".rocport.yaml", "gate:\n  baseline: known.json\n  report: ../reports\n");
    Path known = tree.resolve("known.json");
    CommandLines.run("audit", tree.toString(), "--write-baseline", known.toString());
    CommandLines ran = gate();
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("1 known, 0 fixed");
    assertThat(folder.resolve("reports/report.sarif")).exists();
    write("a.cpp", "\n\n" + UNKNOWN.formatted(1));
    assertThat(gate().code()).isZero();
    write("a.cpp", UNKNOWN.formatted(7));
    assertThat(gate().code()).isEqualTo(1);
  }

  @Test
  void theCommandLineOverridesTheFile() throws IOException {
    write("a.cpp", "int f();\n");
    write("b.cu", "#include <cuda_runtime.h>\n#if __CUDA_ARCH__ >= 300\nint x;\n#endif\n");
    write(".rocport.yaml", "gate:\n  fail-on: note\n");
    int strict = gate().code();
    assertThat(strict).isEqualTo(1);
    assertThat(gate("--fail-on", "error").code()).isZero();
  }

  @Test
  void aConfigurationThatMakesNoSenseIsWrongUsage() throws IOException {
    write(".rocport.yaml", "gate:\n  thresholds: [{rules: X}]\n");
    assertThat(gate().code()).isEqualTo(2);
    assertThat(gate().err()).contains("thresholds entry 1").contains("most");
    write(".rocport.yaml", "gate:\n  fail-in: note\n");
    assertThat(gate().err()).contains("fail-in");
    write(".rocport.yaml", "gate:\n  fail-on: fatal\n");
    assertThat(gate().code()).isEqualTo(2);
  }

  @Test
  void comparisonsListNewAndGoneButNotMovedFindings() throws IOException {
    write("gone.cpp", UNKNOWN.formatted(5));
    Path before = json("before.json");
    write("a.cpp", "\n// moved\n" + UNKNOWN.formatted(1));
    write("b.cpp", UNKNOWN.formatted(2));
    Files.delete(tree.resolve("gone.cpp"));
    Path after = json("after.json");
    CommandLines ran = CommandLines.run("compare", before.toString(), after.toString());
    assertThat(ran.out()).contains("new b.cpp:2").contains("gone gone.cpp:2");
    assertThat(ran.out()).doesNotContain("a.cpp");
    assertThat(ran.code()).isEqualTo(1);
    CommandLines same = CommandLines.run("compare", after.toString(), after.toString());
    assertThat(same.code()).isZero();
    assertThat(same.out()).doesNotContain("new ").doesNotContain("gone ");
    String json =
        CommandLines.run("compare", before.toString(), after.toString(), "--format", "json").out();
    assertThat(json).contains("\"new\" : [").contains("\"b.cpp\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"baseline": 1} | not a rocport report: write one with --format json
          {"schema": "2.0", "tool": {"name": "rocport"}} | the report has version 2.0, but version 1.x
          {"baseline": | not JSON:
          """)
  void aFileThatIsNotAReportIsWrongUsageAndNamedOnce(String text, String reason)
      throws IOException {
    Path other = Files.writeString(folder.resolve("x.json"), text);
    CommandLines ran = CommandLines.run("compare", other.toString(), other.toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(other + ": " + reason).containsOnlyOnce("x.json");
  }

  private Path json(String name) throws IOException {
    String json = CommandLines.run("audit", tree.toString(), "--format", "json").out();
    return Files.writeString(folder.resolve(name), json);
  }
}
