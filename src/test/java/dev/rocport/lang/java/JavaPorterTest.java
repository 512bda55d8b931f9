package dev.rocport.lang.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the goldens do not show: odd files, and texts in which an edit cannot be written. */
final class JavaPorterTest {
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();
  private static final JavaPorter PORTER =
      new JavaPorter(CATALOG, PortOptions.DEFAULT, new CudaPorter(CATALOG, PortOptions.DEFAULT));

  private static Changes changes(String text) {
    return PORTER.port(SourceFile.of("Test.java", text));
  }

  private static String ported(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new String(changes(text).edits().apply(bytes), StandardCharsets.UTF_8);
  }

  private static List<String> rules(String text) {
    return changes(text).findings().stream().map(Finding::rule).toList();
  }

  @Test
  void fileWithoutCudaIsNotParsed() {
    assertThat(
            JavaPorter.concerns(
                "class A { String s = \"circus\"; }".getBytes(StandardCharsets.UTF_8)))
        .isFalse();
    assertThat(rules("class { no Java at all")).isEmpty();
  }

  @Test
  void brokenFileIsLeftAlone() {
    String text = "class A { String s = \"cudaMalloc\" + ; }";
    assertThat(ported(text)).isEqualTo(text);
    assertThat(rules(text)).containsExactly("JAVA-SYNTAX");
  }

  @Test
  void longChainsOfCallsAreReadInTimeThatGrowsWithThem() {
    String text = "class A { void f() { cuda" + ".a(\"-arch=sm_70\")".repeat(1000) + "; } }";
    assertTimeoutPreemptively(
        Duration.ofSeconds(60), () -> assertThat(rules(text)).doesNotContain("JAVA-SYNTAX"));
  }

  @Test
  void commentsOfABuildThatDoNotEndHideTheRest() {
    String asked = "<groupId>org.jcuda</groupId><artifactId>jcuda</artifactId>\n";
    SourceFile pom = SourceFile.of("pom.xml", asked + ("<!-- " + asked).repeat(20_000));
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> assertThat(JavaBuilds.look(CATALOG, PortOptions.DEFAULT, pom).findings()).hasSize(1));
  }

  @Test
  void columnsAreBytesAfterNonAsciiLetters() {
    String text =
        "class Größe { String ä = \"ü\", s = \"cudaMalloc\"; /* € */ String t = \"cudaFree\"; }";
    assertThat(ported(text))
        .isEqualTo(text.replace("cudaMalloc", "hipMalloc").replace("cudaFree", "hipFree"));
  }

  @Test
  void bytesOfAnotherEncodingAreKept() {
    byte[] bytes =
        "class A { /* \u00e9 */ String s = \"cudaMalloc\"; }".getBytes(StandardCharsets.ISO_8859_1);
    Changes changes = PORTER.port(new SourceFile("A.java", bytes));
    assertThat(new String(changes.edits().apply(bytes), StandardCharsets.ISO_8859_1))
        .isEqualTo("class A { /* \u00e9 */ String s = \"hipMalloc\"; }");
  }

  @Test
  void unicodeEscapesAreKept() {
    String text = "class A { int \\u0061b = 1; char c = '\\u0022'; String s = \"cudaMalloc\"; }";
    assertThat(ported(text)).isEqualTo(text.replace("cudaMalloc", "hipMalloc"));
  }

  @Test
  void nameWithAnEscapeIsWrittenAnew() {
    assertThat(ported("class A { String s = \"cuda\\u004dalloc\"; }"))
        .isEqualTo("class A { String s = \"hipMalloc\"; }");
  }

  @Test
  void commentsAreNotPorted() {
    String text = "class A { // cudaMalloc \"cudaMalloc\"\n /* libcudart.so */ int CUDA; }";
    assertThat(ported(text)).isEqualTo(text);
  }

  @Test
  void changeThatSpansWhatRunTimeKnowsIsRefused() throws JavaTree.Broken {
    SourceFile file = SourceFile.of("A.java", "class A { String s = \"ab\" + 1 + \"cd\"; }");
    JavaString string = JavaStrings.of(JavaTree.parse(file)).getFirst();
    Written written = new Written(file, string);
    assertThat(written.source().text(0, 5)).isEqualTo("ab_cd");
    assertThat(written.edits(List.of(Edit.replace(1, 4, "x", "R")))).isEmpty();
    assertThat(written.edits(List.of(Edit.replace(3, 5, "\"\n", "R"))).orElseThrow())
        .containsExactly(Edit.replace(33, 35, "\\\"\\n", "R"));
  }

  @Test
  void changeThatSpansLiteralsJoinsThem() {
    String text =
        "class A { String k = \"__global__ void f(unsigned* p) {\\n"
            + "\"\n"
            + "  + \"  asm(\\\"{ .reg .u32 t;\\\\n"
            + "\\\\t\\\"\\n"
            + "\"\n"
            + "  + \"      \\\"add.u32 t, %1, 1; mov.u32 %0, t; }\\\" : \\\"=r\\\"(p[0]) :"
            + " \\\"r\\\"(p[1]));\\n"
            + "\"\n"
            + "  + \"}\\n"
            + "\"; }";
    assertThat(ported(text)).contains("p[0]").doesNotContain("asm(").doesNotContain(".reg");
    assertThat(ported(ported(text))).isEqualTo(ported(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "String s = \"cuda\";",
        "String s = \"cudart\";",
        "Logger l = Logger.getLogger(\"nccl\");",
        "String s = \"cudaMalloc failed\";",
        "static final int CUBLAS_OP_N = 111;",
        "int x = CUBLAS_OP_N(0);",
        "String[] s = {\"-O3\", \"-DCUDA\"};",
        "ProcessBuilder p = new ProcessBuilder(\"gcc\", \"-lcudart\");",
      })
  void looksLikeItOnly(String member) {
    String text = "class A { " + member + " }";
    assertThat(ported(text)).isEqualTo(text);
    assertThat(rules(text)).isEmpty();
  }

  @Test
  void oneTreeForBothKeepsTheFile() {
    PortOptions single =
        new PortOptions(
            PortOptions.DEFAULT.launch(),
            PortOptions.DEFAULT.libs(),
            PortOptions.Style.SINGLE_SOURCE,
            PortOptions.DEFAULT.warp(),
            false,
            PortOptions.DEFAULT.hip(),
            PortOptions.DEFAULT.filter());
    Changes changes =
        new JavaPorter(CATALOG, single, new CudaPorter(CATALOG, single))
            .port(SourceFile.of("A.java", "class A {\n String s = \"cudaMalloc\";\n}\n"));
    assertThat(changes.edits().isEmpty()).isTrue();
    assertThat(changes.findings()).hasSize(1);
    assertThat(changes.findings().getFirst().message()).endsWith("it needs 1 edit: line 2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int f(A a) { return switch (a) { case null, default -> { A b = a; yield b != null ? 1 : 2;"
            + " } }; }",
        "int f(Object o) { return o instanceof R(var x, _) && x > 0 ? 1 : 0; } record R(int x, int"
            + " y) {}",
        "void f() { try (var _ = open()) { } catch (Exception _) { } } sealed interface S permits T"
            + " {}",
        "int record = 1, yield = 2, var = 3, when = 4;",
        "void f() { int enum = 1; }",
      })
  void syntaxOfNewAndOldReleasesIsRead(String member) {
    String text = "class A { " + member + " String s = \"cudaMalloc\"; }";
    assertThat(ported(text)).isEqualTo(text.replace("cudaMalloc", "hipMalloc"));
  }

  @Test
  void ptxInAStringIsReported() {
    String text =
        "class A { String s = \"\"\"\n  .version 7.0\n  .target sm_80\n  .address_size 64\n"
            + "  .visible .entry f() { ret; }\n  \"\"\"; }";
    assertThat(rules(text)).contains("PTX-MODULE");
  }

  @Test
  void everyConstantIsTheOneThatTheTablesName() throws IOException {
    List<String[]> rows = rows("constants.tsv");
    assertThat(rows).hasSizeGreaterThan(100);
    for (String[] row : rows) {
      boolean known =
          CATALOG.names().stream().anyMatch(n -> n.cuda().equals(row[0]) && n.hip().equals(row[2]));
      assertThat(known).as(row[0]).isTrue();
      assertThat(row[1]).as(row[0]).isNotEqualTo(row[3]);
    }
  }

  @Test
  void everyRowOfFunctionsIsForSomeFunctionWithACounterpart() throws IOException {
    for (String[] row : rows("functions.tsv")) {
      for (String part : row[0].contains("(") ? List.of(row[0]) : List.of(row[0].split("\\|"))) {
        Pattern pattern = Pattern.compile(part);
        boolean used =
            CATALOG.names().stream()
                .anyMatch(n -> pattern.matcher(n.cuda()).matches() && n.isSupported());
        assertThat(used).as(part).isTrue();
      }
    }
  }

  private static List<String[]> rows(String table) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("rules/javahost", table))) {
      return lines.filter(l -> !l.startsWith("#")).skip(1).map(l -> l.split("\t", -1)).toList();
    }
  }
}
