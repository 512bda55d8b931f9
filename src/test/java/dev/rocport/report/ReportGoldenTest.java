package dev.rocport.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Every form of the sample result, compared whole. */
class ReportGoldenTest {
  private static String golden(String name) throws IOException {
    try (InputStream in = ReportGoldenTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String text(Paper paper) {
    StringBuilder out = new StringBuilder();
    TextReport.write(Samples.result(), paper, out);
    return out.toString();
  }

  @Test
  void text() throws IOException {
    assertThat(text(Paper.PLAIN)).isEqualTo(golden("sample.txt"));
  }

  @Test
  void json() throws IOException {
    StringWriter out = new StringWriter();
    JsonReport.write(Samples.result(), out);
    assertThat(out.toString()).isEqualTo(golden("sample.json"));
  }

  @Test
  void markdown() throws IOException {
    StringBuilder out = new StringBuilder();
    MarkdownReport.write(Samples.result(), out);
    assertThat(out.toString()).isEqualTo(golden("sample.md"));
  }

  @Test
  void coloursAreTheOnlyDifferenceOnATerminal() {
    String colours = text(new Paper(true, 100, false));
    assertThat(colours).contains("\u001b[31merror\u001b[0m");
    assertThat(colours.replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(text(Paper.PLAIN));
  }

  @Test
  void plainTextHoldsNoControlCharactersOfTheSource() {
    assertThat(text(Paper.PLAIN)).doesNotContain("\u001b").contains("\\u001b[31m");
  }

  @Test
  void linesFitTheTerminal() {
    String narrow = text(new Paper(false, 60, true));
    assertThat(narrow.lines().filter(l -> l.startsWith("  An estimate"))).hasSize(1);
    assertThat(narrow.lines().mapToInt(String::length).max().orElseThrow()).isLessThanOrEqualTo(75);
    assertThat(narrow).contains("…");
  }
}
