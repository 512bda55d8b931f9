package dev.rocport.device.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FindingsTest {
  private static final Checks RACE = new Checks(Set.of(Check.RACE), OptionalLong.empty());

  private final Findings findings = new Findings();

  private static Site site(String source, String kernel) {
    return new Site("load", source, "", "", kernel, 8);
  }

  private static Finding race(Certainty certainty, Site site, Site other) {
    return new Finding(Check.RACE, certainty, "it races", site, List.of(other), "", "");
  }

  private String page() {
    return page(new Coverage(1, 0, 7, 0));
  }

  private String page(Coverage coverage) {
    return FindingText.page(findings, RACE, coverage);
  }

  @Test
  void oneLineInSeveralKernelsIsOneFinding() {
    for (String kernel : List.of("first", "second", "first", "third", "fourth")) {
      findings.add(race(Certainty.POSSIBLE, site("a.h:3", kernel), site("a.h:5", kernel)));
    }
    assertThat(findings.count()).isEqualTo(1);
    assertThat(findings.fresh()).hasSize(1);
    assertThat(page())
        .isEqualTo(
            """
            rocport: --check race: 1 finding
              compared: 7 pairs of accesses
              possible race  a.h:3: it races (5 times, in first, second, third and 1 other kernel)
            """);
  }

  @Test
  void whichOfTwoAccessesCameFirstDoesNotMatter() {
    findings.add(race(Certainty.CERTAIN, site("a.h:3", "k"), site("a.h:5", "k")));
    findings.add(race(Certainty.CERTAIN, site("a.h:5", "k"), site("a.h:3", "k")));
    findings.add(race(Certainty.CERTAIN, site("a.h:5", "k"), site("a.h:4", "k")));
    assertThat(findings.count()).isEqualTo(2);
  }

  @Test
  void whereNoLineIsKnownKernelsDiffer() {
    findings.add(race(Certainty.CERTAIN, site("", "first"), site("", "first")));
    findings.add(race(Certainty.CERTAIN, site("", "second"), site("", "second")));
    assertThat(findings.count()).isEqualTo(2);
  }

  @Test
  void notesAreListedAfterFindingsAndNotCounted() {
    findings.add(race(Certainty.BENIGN, site("a.h:1", "k"), site("a.h:1", "k")));
    assertThat(findings.count()).isZero();
    assertThat(page())
        .startsWith("rocport: --check race: no findings, 1 note\n")
        .contains("  benign race  a.h:1");
    findings.add(race(Certainty.CERTAIN, site("a.h:5", "k"), site("a.h:4", "k")));
    assertThat(page())
        .isEqualTo(
            """
            rocport: --check race: 1 finding, 1 note
              compared: 7 pairs of accesses
              race  a.h:5: it races
              benign race  a.h:1: it races
            """);
  }

  @Test
  void refusedCodeWasNotChecked() {
    assertThat(page(new Coverage(0, 1, 0, 0)))
        .isEqualTo(
            """
            rocport: --check race: no kernel was checked
              not checked: 1 code object, refused by the device
              compared: 0 pairs of accesses
            """);
    assertThat(page(new Coverage(3, 2, 4, 0)))
        .startsWith("rocport: --check race: no findings\n  not checked: 2 code objects, ");
  }

  @Test
  void notesDoNotTakeThePlaceOfFindings() {
    for (int i = 0; i < 1000; i++) {
      findings.add(race(Certainty.BENIGN, site("a.h:" + i, "k"), site("a.h:1", "k")));
    }
    findings.add(race(Certainty.CERTAIN, site("a.h:5", "k"), site("a.h:4", "k")));
    assertThat(findings.count()).isEqualTo(1);
    assertThat(findings.beyond()).isZero();
  }
}
