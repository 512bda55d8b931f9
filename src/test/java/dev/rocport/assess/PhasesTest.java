package dev.rocport.assess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.rules.PhaseTable;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhasesTest {
  /** What these tell is no part of any phase: files that cannot be read, suppressions, runs. */
  private static final Set<String> OF_NO_PHASE =
      Set.of("report", "tree", "verify/check", "verify/verify");

  private static boolean names(PhaseTable.Sign sign, Rule rule) {
    boolean id =
        !sign.rules().isEmpty() && new RuleFilter(sign.rules(), List.of()).allows(rule.id());
    return id
        || (!sign.families().isEmpty()
            && new RuleFilter(sign.families(), List.of()).allows(rule.family()));
  }

  @Test
  void everyRuleIsOfSomePhase() {
    RuleCatalog catalog = RuleCatalog.builtIn();
    List<PhaseTable.Sign> signs =
        catalog.phases().phases().stream().flatMap(p -> p.signs().stream()).toList();
    assertThat(catalog.rules())
        .filteredOn(r -> !OF_NO_PHASE.contains(r.family()))
        .filteredOn(r -> !r.id().equals("PY-SYNTAX") && !r.id().equals("PY-NOTEBOOK"))
        .allSatisfy(r -> assertThat(signs).as("phases of " + r.id()).anyMatch(s -> names(s, r)));
  }

  @Test
  void thePhasesAreThoseOfTheGuide() {
    assertThat(RuleCatalog.builtIn().phases().phases())
        .extracting(PhaseTable.Phase::number)
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.py  | torch.compile  | torch.compile(f)      | 1",
        "a.py  | torch.compile  | torch.compiler.off(f) | 0",
        "a.py  | torch.compile* | torch.compiler.off(f) | 1",
        "a.py  | pynvml         | my_pynvml = 1         | 0",
        "a.py  | .cuda()        | x = x.cuda().y.cuda() | 2",
        "a.py  | pynvml         | # pynvml              | 0",
        "a.cu  | pynvml         | # pynvml              | 1",
        "a.cu  | pynvml         | // pynvml             | 0",
        "a.py  | pynvml         | x = 1 // pynvml       | 1",
        "a.cmake | +cu12*       | torch==2.5.1+cu124    | 1"
      })
  void wordsAreWholeAndNotInComments(String path, String word, String text, int count) {
    assertThat(Words.in(path, text, List.of(word)).count()).isEqualTo(count);
  }

  @Test
  void theFirstPlaceIsTheExample() {
    Words.Hits hits = Words.in("a.py", "# b\n\nimport b\nimport a\n", List.of("a", "b"));
    assertThat(hits).isEqualTo(new Words.Hits(2, 1, "a.py:3"));
  }

  @Test
  void keptHitsAreThoseOfTheSameSigns() {
    List<PhaseTable.Sign> signs =
        RuleCatalog.builtIn().phases().phases().stream().flatMap(p -> p.signs().stream()).toList();
    List<Words.Hits> hits = new ArrayList<>(Collections.nCopies(signs.size(), Words.Hits.NONE));
    hits.set(1, new Words.Hits(7, 2, "a b/kernel.cu:41"));
    String kept = Words.Hits.write(hits, signs);
    assertThat(Words.Hits.read(kept, signs)).contains(hits);
    assertThat(Words.Hits.read(kept, signs.subList(1, signs.size()))).isEmpty();
    assertThat(Words.Hits.read(kept.replace("7 2", "7 x"), signs)).isEmpty();
    hits.set(1, new Words.Hits(1, 1, "a\tb.cu:1"));
    assertThat(Words.Hits.write(hits, signs)).isEmpty();
  }
}
