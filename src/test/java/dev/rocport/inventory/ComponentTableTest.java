package dev.rocport.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.TsvTable;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.BuiltInText;
import dev.rocport.rules.RuleCatalog;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tables of components make sense, and agree with the tables that they are derived from. */
class ComponentTableTest {
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();
  private static final ComponentTable TABLE = new ComponentTable(CATALOG, "6.4");

  private static List<TsvTable.Row> signs() {
    return BuiltInText.table("bill/signs.tsv", "sign\tpattern\tcomponent").rows();
  }

  @Test
  void everyComponentIsRecognisedBySomething() {
    Set<String> recognised = new HashSet<>();
    signs().forEach(r -> recognised.add(r.cell(2)));
    // Found by looking into code.
    recognised.addAll(List.of("ptx", "device-code"));
    assertThat(TABLE.components()).extracting(Component::id).allMatch(recognised::contains);
  }

  @Test
  void signsAreUniqueAndFamiliesExist() {
    Set<String> seen = new HashSet<>();
    Set<String> families = new HashSet<>();
    CATALOG.names().forEach(n -> families.add(n.family()));
    for (TsvTable.Row r : signs()) {
      assertThat(seen.add(r.cell(0) + " " + r.cell(1))).as(r.where()).isTrue();
      if (r.cell(0).equals("family")) {
        assertThat(families).as(r.where()).contains(r.cell(1));
      }
    }
  }

  @Test
  void supportAgreesWithTheTablesOfNames() {
    for (TsvTable.Row r : signs()) {
      if (!r.cell(0).equals("family") || r.cell(1).equals("API-MEMBER")) {
        continue;
      }
      Component c = TABLE.require(r.cell(2));
      long mapped = mapped(r.cell(1), true);
      long all = mapped + mapped(r.cell(1), false);
      switch (c.support()) {
        case YES, PARTLY -> assertThat(mapped).as(c.id()).isPositive();
        case MANUAL, NO -> assertThat(mapped * 2).as(c.id()).isLessThan(all);
      }
    }
  }

  private static long mapped(String family, boolean supported) {
    return CATALOG.names().stream()
        .filter(n -> n.family().equals(family))
        .filter(n -> n.kind() != ApiName.Kind.MACRO)
        .filter(n -> n.isSupported() == supported)
        .count();
  }

  @Test
  void everyNotePutsItInASentenceAndCounterpartsGoWithSupport() {
    for (Component c : TABLE.components()) {
      assertThat(c.note()).as(c.id()).endsWith(".");
      if (c.support() == Support.YES || c.support() == Support.MANUAL) {
        assertThat(c.counterpart()).as(c.id()).isNotEmpty();
      }
    }
  }

  @Test
  void headersOfTheTablesBelongToComponents() {
    Set<String> families = new HashSet<>();
    signs().stream().filter(r -> r.cell(0).equals("family")).forEach(r -> families.add(r.cell(1)));
    assertThat(CATALOG.names())
        .filteredOn(n -> n.kind() == ApiName.Kind.HEADER)
        .filteredOn(n -> families.contains(n.family()) || n.family().equals("API-OTHERS"))
        .isNotEmpty()
        .allMatch(n -> TABLE.header(n.cuda().replace("*", "x.h")) != null, "has a component");
  }

  @Test
  void librariesThatLinksKnowBelongToComponents() {
    assertThat(BuiltInText.table("build/nvcc-libraries.tsv", "library\thip\treason").rows())
        .allMatch(r -> TABLE.link(r.cell(0)) != null, "has a component");
  }
}
