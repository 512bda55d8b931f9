package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page of a report. */
final class AnswersHtmlTest {
  @Test
  void namesOfRepositoriesAreText() {
    Answers answers =
        new Answers(
            List.of(
                new Answers.Section(
                    "teams",
                    "Effort by team",
                    List.of("team", "ptx_left", "minutes"),
                    List.of(List.of("<script>alert(\"x\")</script>", 7L, 125L))),
                new Answers.Section("ptx", "PTX", List.of("instruction"), List.of())));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    AnswersHtml.write(answers, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("<td>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;</td>")
        .contains("<td class=\"number\">7</td>", "<td class=\"number\">2 h</td>")
        .contains("<th scope=\"col\">ptx left</th>", "<h2>PTX</h2>\n<p>none</p>")
        .doesNotContain("<script>");
  }
}
