package dev.rocport.lang.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each notebook becomes the one beside it, whose view without gates is the first again. */
final class NotebookTest {
  private static final String INPUT = ".input.ipynb";
  private static final PythonPorter PORTER =
      new PythonPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  static Stream<Path> notebooks() throws IOException {
    return Files.list(Path.of("src/test/resources/python/notebooks"))
        .filter(p -> p.toString().endsWith(INPUT))
        .sorted();
  }

  private static SourceFile file(String text) {
    return SourceFile.of("lab/notebook.ipynb", text);
  }

  private static Changes port(String text) {
    return PORTER.port(file(text), PythonProject.NONE);
  }

  private static String ported(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new String(port(text).edits().apply(bytes), StandardCharsets.UTF_8);
  }

  private static String output(Path input) throws IOException {
    String name = input.getFileName().toString().replace(INPUT, ".output.ipynb");
    return Files.readString(input.resolveSibling(name));
  }

  @ParameterizedTest
  @MethodSource("notebooks")
  void becomesTheNotebookBesideIt(Path input) throws IOException {
    String before = Files.readString(input);
    String after = output(input);
    assertThat(ported(before)).isEqualTo(after);
    assertThat(ported(after)).isEqualTo(after);
    assertThat(ported(before.replace("\n", "\r\n"))).isEqualTo(after.replace("\n", "\r\n"));
  }

  @ParameterizedTest
  @MethodSource("notebooks")
  void withoutItsGatesItIsTheOriginal(Path input) throws IOException {
    SourceFile before = file(Files.readString(input));
    SourceFile after = file(output(input));
    assertThat(PythonPorter.failure(before, after)).isEmpty();
    assertThat(PythonView.of(after, Set.of()).bytes()).isEqualTo(before.bytes());
  }

  @Test
  void whatIsNotCodeBelongsToTheProof() throws IOException {
    Path input = Path.of("src/test/resources/python/notebooks/magics.input.ipynb");
    SourceFile before = file(Files.readString(input));
    String after = output(input);
    for (String was : List.of("A title", "stdout", "display_name", "allow_tf32 = True\\n")) {
      assertThat(after).contains(was);
      SourceFile other = file(after.replaceFirst(Pattern.quote(was), "x"));
      assertThat(PythonPorter.failure(before, other)).as(was).isNotEmpty();
    }
  }

  @Test
  void insertionsOfSeveralRulesAtOnePlaceAreSeparateEdits() {
    String text =
        """
        {"cells": [
          {"cell_type": "code", "source": [
            "import os\\n",
            "os.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'max_split_size_mb:128'\\n",
            "import torch\\n",
            "torch.backends.cudnn.allow_tf32 = True\\n",
            "def f(m): return torch.compile(m, mode='max-autotune')"]}],
         "metadata": {}, "nbformat": 4}
        """;
    List<Edit> all = port(text).edits().sorted();
    int behindImport = text.indexOf("torch.backends");
    assertThat(all)
        .filteredOn(e -> e.start() == behindImport)
        .extracting(Edit::rule)
        .containsExactly("PY-COMPILE-MODE", "PY-ALLOC-CONF");
    assertThat(ported(text))
        .contains("is not None\\n\",\n    \"if is_rocm:\\n\",\n    \"    os.environ");
    assertThat(PythonPorter.failure(file(text), file(ported(text)))).isEmpty();
  }

  @Test
  void findingsNameTheCellAndTheLineOfTheText() {
    String text =
        """
        {"cells": [
          {"cell_type": "markdown", "source": ["import torch"]},
          {"cell_type": "code", "source": [
            "import torch\\n",
            "g = torch.cuda.CUDAGraph()"]}],
         "metadata": {}, "nbformat": 4}
        """;
    assertThat(port(text).findings())
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.message()).startsWith("cell 2, line 2: ");
              assertThat(f.line()).isEqualTo(5);
              assertThat(f.column()).isEqualTo(10);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "torch",
        "[\"torch\"]",
        "{\"cells\": \"torch\"}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import torch",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import torch\", 1]}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"import torch\"}]} more",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"\\ud8torch\"}]}",
        "{\"cells\": [], \"cells\": [], \"torch\": 1}"
      })
  void otherJsonIsUnchanged(String text) {
    Changes changes = port(text);
    assertThat(changes.edits().isEmpty()).isTrue();
    assertThat(changes.findings())
        .extracting(Finding::rule)
        .isEqualTo(text.contains("torch") ? List.of("PY-NOTEBOOK") : List.of());
  }

  /** JSON has no encoding in which the second byte of four holds the character. */
  @Test
  void bytesOfNoEncodingOfJsonStay() {
    byte[] bytes = "\0{\0\0\0\"\0\0torch".getBytes(StandardCharsets.UTF_8);
    Changes changes = PORTER.port(new SourceFile("lab/notebook.ipynb", bytes), PythonProject.NONE);
    assertThat(changes.edits().isEmpty()).isTrue();
    assertThat(changes.findings())
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.rule()).isEqualTo("PY-NOTEBOOK");
              assertThat(f.message()).contains("its JSON cannot be read");
            });
  }

  @Test
  void deepNestingIsUnchanged() {
    Changes changes = port("{\"torch\": " + "[".repeat(100_000) + "]".repeat(100_000) + "}");
    assertThat(changes.edits().isEmpty()).isTrue();
    assertThat(changes.findings()).extracting(Finding::rule).containsExactly("PY-NOTEBOOK");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"cells\": [], \"metadata\": {\"torch\": NaN}}",
        "{\"torch\": {}}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": []}, {\"cell_type\": \"raw\"}], \"x\":"
            + " \"torch\"}"
      })
  void aNotebookWithoutCodeIsUnchangedWithoutFindings(String text) {
    assertThat(port(text).edits().isEmpty()).isTrue();
    assertThat(port(text).findings()).isEmpty();
  }

  @Test
  void aCellThatIsNotPythonIsReportedAndTheOthersArePorted() {
    String text =
        """
        {"cells": [
          {"cell_type": "code", "source": "import torch"},
          {"cell_type": "code", "source": "print torch.cuda"},
          {"cell_type": "code", "source": "torch.backends.cuda.matmul.allow_tf32 = True"}]}
        """;
    assertThat(ported(text)).contains("(False if is_rocm else True)");
    assertThat(port(text).findings())
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.rule()).isEqualTo("PY-NOTEBOOK");
              assertThat(f.line()).isEqualTo(3);
            });
  }
}
