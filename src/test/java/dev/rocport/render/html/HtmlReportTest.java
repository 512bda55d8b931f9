package dev.rocport.render.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.render.ReportForm;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Hostile text stays text; the treemap fills its place. */
class HtmlReportTest {
  private static final Pattern INVISIBLE =
      Pattern.compile("[\\p{Cf}\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]");

  static final List<String> TEXTS = HostileResult.TEXTS;

  static String page(Result result) {
    StringWriter out = new StringWriter();
    ReportForm.HTML.write(result, new Gate(Severity.ERROR).judge(result), out);
    return out.toString();
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @ParameterizedTest
  @FieldSource("TEXTS")
  void noTextBecomesMarkup(String text) {
    String plain = page(HostileResult.of("x"));
    String page = page(HostileResult.of(text));
    for (String tag : List.of("<script", "</script", "<style", "<a ", "<svg", "<title", "<!--")) {
      assertThat(count(page, tag)).as(tag).isEqualTo(count(plain, tag));
    }
    assertThat(page).doesNotContain("<img").doesNotContain("href=\"j");
    assertThat(INVISIBLE.matcher(page).find()).isFalse();
  }

  @Test
  void equalResultsGiveEqualPages() {
    assertThat(page(HostileResult.many(500, 50))).isEqualTo(page(HostileResult.many(500, 50)));
  }

  @Test
  void theTableWithoutScriptHasTheFirstFindings() {
    String page = page(HostileResult.many(500, 50));
    assertThat(page).contains("the page shows the first 50 of 500 findings.");
    assertThat(count(page, "<td class=\"what\">")).isEqualTo(50);
  }

  @Test
  void thePartsOfTheMapAreTheWholeAndDoNotOverlap() {
    List<Integer> weights = List.of(60, 50, 40, 30, 20, 10, 5, 5, 1);
    List<Treemap.Box> boxes = Treemap.boxes(weights, 1000, 360);
    double unit = 1000 * 360 / 221.0;
    for (int i = 0; i < boxes.size(); i++) {
      Treemap.Box a = boxes.get(i);
      assertThat(a.width() * a.height()).isCloseTo(weights.get(i) * unit, within(0.01));
      assertThat(a.x()).isBetween(-1e-6, 1000 - a.width() + 1e-6);
      assertThat(a.y()).isBetween(-1e-6, 360 - a.height() + 1e-6);
      for (Treemap.Box b : boxes.subList(0, i)) {
        double wide = Math.min(a.x() + a.width(), b.x() + b.width()) - Math.max(a.x(), b.x());
        double high = Math.min(a.y() + a.height(), b.y() + b.height()) - Math.max(a.y(), b.y());
        assertThat(Math.min(wide, high)).isLessThan(1e-6);
      }
    }
  }

  @Test
  void foldersAreOpenedWhereTheEffortIs() {
    List<FolderEffort.Part> parts = FolderEffort.parts(HostileResult.many(500, 200).files());
    assertThat(parts).hasSizeLessThanOrEqualTo(40).extracting("path").contains("src/part0/");
    assertThat(parts.stream().mapToInt(FolderEffort.Part::minutes).sum()).isEqualTo(200 * 201 / 2);
    assertThat(FolderEffort.parts(HostileResult.many(20, 10).files())).hasSize(10);
  }

  private static org.assertj.core.data.Offset<Double> within(double by) {
    return org.assertj.core.data.Offset.offset(by);
  }
}
