package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class TreeRulesTest {
  @Test
  void everyRuleThatThisPackageNamesIsExplained() throws IOException {
    Path sources =
        Path.of(System.getProperty("rocport.home", "."), "src/main/java/dev/rocport/port");
    Pattern id = Pattern.compile("\"((?:FILE|RENAME|TREE)-[A-Z0-9-]+)\"");
    TreeSet<String> named = new TreeSet<>();
    for (String file :
        new String[] {
          "CommandsOfTree.java",
          "HiddenCharacters.java",
          "RenamedSources.java",
          "TreeFacts.java",
          "Unported.java"
        }) {
      Matcher m = id.matcher(Files.readString(sources.resolve(file)));
      while (m.find()) {
        named.add(m.group(1));
      }
    }
    assertThat(named)
        .isEqualTo(
            RuleCatalog.builtIn().rules().stream()
                .filter(r -> r.analysis().equals("tree") && !r.id().startsWith("PTX-"))
                .map(r -> r.id())
                .collect(Collectors.toCollection(TreeSet::new)));
  }
}
