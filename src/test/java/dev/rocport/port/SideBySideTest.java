package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.result.Change;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.util.List;
import org.junit.jupiter.api.Test;

class SideBySideTest {
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();
  private static final String WARP = "W64-GROUPS";
  private static final String OTHER = "API-RUNTIME";

  private static Changes changes(String text) {
    return new Changes(SourceFile.of("a.cu", text), CATALOG, RuleFilter.ALL);
  }

  private static void replace(Changes c, String what, String by, String rule) {
    String text = c.file().text(0, c.file().length());
    int at = text.indexOf(what);
    c.edit(Edit.replace(at, at + what.length(), by, rule));
  }

  @Test
  void onlyLinesThatRulesAboutWarpsChangeAreKept() {
    Changes c = changes("one();\ntwo(a);\nthree();\nfour();\n");
    replace(c, "one", "1", OTHER);
    replace(c, "two", "2", WARP);
    replace(c, "a", "b", OTHER);
    replace(c, "four", "4", "W64-WIDE");
    assertThat(SideBySide.of(c, CATALOG))
        .containsExactly(
            new Change(WARP, 2, "two(a);", "2(b);"), new Change("W64-WIDE", 4, "four();", "4();"));
  }

  @Test
  void neighboursAreOneAndEditsOfSeveralLinesAreWhole() {
    Changes c = changes("f(\n  x,\n  y);\ng();\nh();\n");
    int start = 2;
    int end = "f(\n  x,\n  y".length();
    c.edit(
        new Edit(
            start,
            end,
            List.of(new Piece.Text("z, "), new Piece.Moved(5, 6)),
            Edit.Side.BEFORE,
            OTHER));
    replace(c, "x", "X", WARP);
    replace(c, "g", "G", WARP);
    assertThat(SideBySide.of(c, CATALOG))
        .containsExactly(new Change(WARP, 1, "f(\n  x,\n  y);\ng();", "f(z, X);\nG();"));
  }

  @Test
  void aLongFileKeepsABoundedNumber() {
    Changes c = changes(("a();" + "x".repeat(1000) + "\n\n").repeat(100));
    for (int i = 0; i < 100; i++) {
      c.edit(Edit.replace(1006 * i, 1006 * i + 1, "b", WARP));
    }
    List<Change> kept = SideBySide.of(c, CATALOG);
    assertThat(kept).hasSize(40);
    assertThat(kept.getFirst().before()).hasSize(161).endsWith(Change.MORE);
  }
}
