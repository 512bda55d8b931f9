package dev.rocport.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

  @ParameterizedTest
  @EnumSource
  void form(ReportForm form) throws IOException {
    StringWriter out = new StringWriter();
    Result result = Samples.result();
    form.write(result, new Gate(Severity.ERROR).judge(result), out);
    assertThat(out.toString()).isEqualTo(golden(form.file().replace("report", "sample")));
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
