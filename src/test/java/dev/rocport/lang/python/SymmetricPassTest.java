package dev.rocport.lang.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The findings about collectives are those that the lines of {@code symmetric.py} specify. */
class SymmetricPassTest {
  private static final String NAME = "symmetric.py";
  private static final Pattern NEEDS = Pattern.compile("\\w+ needs (\\w+) in .*");

  private static String text;
  private static Changes changes;

  @BeforeAll
  static void port() throws IOException {
    try (InputStream in = SymmetricPassTest.class.getResourceAsStream(NAME)) {
      text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    changes = port(SourceFile.of(NAME, text));
  }

  private static Changes port(SourceFile file) {
    return new PythonPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT)
        .port(file, PythonProject.NONE);
  }

  @Test
  void reportsTheExpectedFindings() {
    List<String> told = changes.findings().stream().map(SymmetricPassTest::told).toList();
    assertThat(told)
        .containsExactlyInAnyOrderElementsOf(expected(NAME, text))
        .hasSizeGreaterThan(10);
  }

  /** The findings that the lines of a file specify, in the form of {@link #told}. */
  static List<String> expected(String path, String text) {
    List<String> expected = new ArrayList<>();
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      int at = lines[i].indexOf("# told: ");
      if (at >= 0) {
        for (String one : lines[i].substring(at + 8).split(", ", -1)) {
          expected.add(path + ":" + (i + 1) + " " + one);
        }
      }
    }
    return expected;
  }

  static String told(Finding f) {
    Matcher m = NEEDS.matcher(f.message());
    String argument = m.matches() ? " " + m.group(1) : "";
    return f.path() + ":" + f.line() + " " + f.rule() + " " + f.severity().label() + argument;
  }

  @Test
  void namesTheProducerByItsPlace() {
    int line = text.substring(0, text.indexOf("y = torch.ops.mylib.scale(x)")).split("\n").length;
    assertThat(changes.findings())
        .anyMatch(
            f ->
                f.message()
                    .contains("y[0] comes from the operator mylib.scale (" + NAME + ":" + line));
  }

  @Test
  void registersOnceAndCanBeTakenOut() {
    SourceFile original = SourceFile.of(NAME, text);
    SourceFile ported = new SourceFile(NAME, changes.edits().apply(original.bytes()));
    assertThat(changes.counts()).containsOnlyKeys("PY-SYMM-MEM-ARGS");
    assertThat(PythonPorter.failure(original, ported)).isEmpty();
    assertThat(port(ported).counts()).isEmpty();
  }
}
