package dev.rocport.assess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Run;
import dev.rocport.core.result.Severity;
import dev.rocport.rules.RuleFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AssessmentTest {
  private static final Run RUN = new Run("1", "audit", List.of("."), "", new TreeMap<>());

  @TempDir Path folder;

  private static Result assess(
      List<Suppression> suppressions, @Nullable Baseline baseline, FileResult... files) {
    return new Assessment(Findings.CATALOG, RuleFilter.ALL, suppressions, baseline)
        .of(RUN, List.of(files));
  }

  private static FileResult file(String text) {
    return Findings.file("a.cu", Findings.of(text, "PTX-INLINE", "asm").findings());
  }

  private static BaselineInfo compared(Result result) {
    return Objects.requireNonNull(result.baseline());
  }

  private Baseline baseline(FileResult... files) throws IOException {
    Path json = folder.resolve("known.json");
    Baseline.write(json, assess(List.of(), null, files));
    return Baseline.read(json);
  }

  @Test
  void knownFindingsDoNotFailAGate() throws IOException {
    Baseline known = baseline(file("asm(a);\n"));
    Result same = assess(List.of(), known, file("asm(a);\n"));
    assertThat(failing(same)).isZero();
    assertThat(failing(assess(List.of(), null, file("asm(a);\n")))).isOne();
  }

  @Test
  void aMovedLineStaysKnown() throws IOException {
    Baseline known = baseline(file("asm(a);\n"));
    Result moved = assess(List.of(), known, file("\n\nint x;\n    asm( a );\n"));
    assertThat(failing(moved)).isZero();
    assertThat(compared(moved).fixed()).isZero();
  }

  @Test
  void aSecondEqualLineIsNew() throws IOException {
    Baseline known = baseline(file("asm(a);\n"));
    Result twice = assess(List.of(), known, file("asm(a);\nasm(a);\n"));
    assertThat(failing(twice)).isOne();
    assertThat(compared(twice).fresh()).isOne();
  }

  @Test
  void findingsThatAreGoneCountAsFixed() throws IOException {
    Baseline known = baseline(file("asm(a);\nasm(b);\n"));
    Result result = assess(List.of(), known, file("asm(b);\n"));
    assertThat(compared(result).fixed()).isOne();
    assertThat(compared(result).fresh()).isZero();
  }

  @Test
  void aFileThatIsNoBaselineIsRefused() throws IOException {
    Path json = folder.resolve("x.json");
    Files.writeString(json, "{\"findings\": 3}");
    assertThatThrownBy(() -> Baseline.read(json)).isInstanceOf(IOException.class);
    Files.writeString(json, "{\"baseline\": 7, \"findings\": []}");
    assertThatThrownBy(() -> Baseline.read(json)).hasMessageContaining("different version");
    Files.writeString(json, "{oops");
    assertThatThrownBy(() -> Baseline.read(json)).hasMessageContaining("not JSON");
  }

  @Test
  void theConfigurationSuppressesByRuleAndGlob() throws IOException {
    Files.writeString(
        folder.resolve(".rocport.yaml"),
        """
        launch: ggl
        suppress:
          - rule: PTX-*
            path: "third_party/**"
            reason: never built for AMD
        """);
    FileResult theirs =
        Findings.file("third_party/b.cu", Findings.of("asm(x);\n", "PTX-INLINE", "asm").findings());
    // The finding carries its own path, so give it the file's.
    Finding f = theirs.findings().getFirst();
    Finding moved =
        new Finding(
            f.rule(),
            f.severity(),
            f.disposition(),
            "third_party/b.cu",
            f.line(),
            f.column(),
            f.endLine(),
            f.endColumn(),
            f.message(),
            f.advice(),
            f.snippet(),
            f.fingerprint());
    Result result =
        assess(
            SuppressionFile.read(folder),
            null,
            file("asm(a);\n"),
            Findings.file("third_party/b.cu", List.of(moved)));
    assertThat(result.findings()).extracting(Finding::path).containsExactly("a.cu");
    assertThat(result.totals().suppressed()).isOne();
    assertThat(result.files().get(1).result().suppressed().getFirst().reason())
        .isEqualTo("never built for AMD");
  }

  @Test
  void aBadEntryOfTheConfigurationIsReported() throws IOException {
    Files.writeString(
        folder.resolve(".rocport.yaml"),
        """
        suppress:
          - rule: PTX-INLINE
            path: a.cu
          - rule: API-RUNTIME
            path: nowhere.cu
            reason: gone since
        """);
    Result result = assess(SuppressionFile.read(folder), null, file("asm(a);\n"));
    assertThat(result.findings())
        .extracting(f -> f.path() + " " + f.rule() + " " + f.message())
        .containsExactly(
            ".rocport.yaml SUPPRESS-NO-REASON suppress entry 1 (PTX-INLINE in a.cu) gives no"
                + " reason",
            ".rocport.yaml SUPPRESS-UNUSED suppress entry 2 (API-RUNTIME in nowhere.cu)"
                + " suppresses nothing");
  }

  @Test
  void anInvalidConfigurationIsRejected() throws IOException {
    Path file = folder.resolve(".rocport.yaml");
    Files.writeString(file, "suppress:\n  - path: a.cu\n");
    assertThatThrownBy(() -> SuppressionFile.read(folder)).hasMessageContaining("needs 'rule'");
    Files.writeString(file, "suppress:\n  - rule: A\n    why: no\n");
    assertThatThrownBy(() -> SuppressionFile.read(folder)).hasMessageContaining("'why'");
    Files.writeString(file, "suppress: [");
    assertThatThrownBy(() -> SuppressionFile.read(folder)).isInstanceOf(IOException.class);
  }

  @Test
  void equalInputsGiveEqualResults() {
    assertThat(assess(List.of(), null, file("asm(a);\nasm(b);\n")))
        .isEqualTo(assess(List.of(), null, file("asm(a);\nasm(b);\n")));
  }

  private static int failing(Result result) {
    return new Gate(Severity.ERROR).judge(result).failing().size();
  }
}
