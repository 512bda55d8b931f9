package dev.rocport.assess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Effort;
import dev.rocport.core.result.Effort.Size;
import dev.rocport.core.result.EffortMethod;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.rules.EffortTable;
import dev.rocport.rules.EffortTable.Weight;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EffortModelTest {
  private static final EffortTable TABLE =
      new EffortTable(
          20,
          5,
          30,
          240,
          1440,
          List.of(
              new Weight("PTX-*", "unported", 60, 25, 120, "medium", "rewrite"),
              new Weight("*", "*", 1, 1, 0, "", "read")));

  private static FileResult file(String text) {
    return Findings.file("a.cu", Findings.of(text, "PTX-INLINE", "asm").findings());
  }

  @Test
  void theFirstFindingCostsMoreThanTheNext() {
    assertThat(new EffortModel(TABLE).file(file("asm(a);\nasm(b);\nasm(c);\n")))
        .isEqualTo(new Effort(60 + 2 * 25, Size.MEDIUM));
  }

  @Test
  void workDoneOnceCountsOncePerTree() {
    EffortModel model = new EffortModel(TABLE);
    model.file(file("asm(a);\n"));
    model.file(file("asm(b);\n"));
    assertThat(model.tree().minutes()).isEqualTo(60 + 60 + 120);
    assertThat(model.minutes("PTX-INLINE")).isEqualTo(60 + 60 + 120);
  }

  @Test
  void editsAreRead() {
    FileResult clean =
        new FileResult(
            "a.cu", Status.PORTED, "cuda", 1, 1, new TreeMap<>(Map.of("X", 21)), List.of(), "");
    assertThat(new EffortModel(TABLE).file(clean)).isEqualTo(new Effort(2, Size.TRIVIAL));
  }

  @Test
  void nothingToDoIsNoEffort() {
    assertThat(new EffortModel(TABLE).file(Findings.file("a.cu", List.of())))
        .isEqualTo(Effort.NONE);
  }

  @Test
  void classesHaveTheirLimits() {
    String statement = "asm(a);\n";
    assertThat(new EffortModel(TABLE).file(file(statement.repeat(8))).size())
        .isEqualTo(Size.MEDIUM); // 60 + 7 * 25 = 235
    assertThat(new EffortModel(TABLE).file(file(statement.repeat(9))).size())
        .isEqualTo(Size.LARGE); // 260
    assertThat(new EffortModel(TABLE).file(file(statement.repeat(57))).size())
        .isEqualTo(Size.RESEARCH); // 1460
  }

  @Test
  void onlyWeightsThatCountedAreShown() {
    EffortModel model = new EffortModel(TABLE);
    model.file(file("asm(a);\n"));
    EffortMethod method = model.method();
    assertThat(method.weights()).extracting(EffortMethod.Weight::rule).containsExactly("PTX-*");
    assertThat(method.formula()).contains("edits / 20").contains("'large' up to 1440");
  }

  @Test
  void everyRuleHasAWeightOfTheBuiltInTable() {
    EffortTable builtIn = Findings.CATALOG.effort();
    assertThat(builtIn.weights().getLast().rule()).isEqualTo("*");
    assertThat(builtIn.editsPerMinute()).isPositive();
  }
}
