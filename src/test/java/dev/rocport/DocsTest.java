package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a reader of the pages sees of their form. */
final class DocsTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));

  /** A row after a blank line begins a table, so a line of dashes follows it. */
  @Test
  void noBlankLineBreaksATable() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(HOME.resolve("README.md")));
    try (Stream<Path> docs = Files.list(HOME.resolve("docs"))) {
      docs.filter(p -> p.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    assertThat(pages).hasSizeGreaterThan(5);
    int tables = 0;
    for (Path page : pages) {
      List<String> lines = Files.readAllLines(page);
      boolean code = false;
      for (int i = 1; i + 1 < lines.size(); i++) {
        code ^= lines.get(i).startsWith("```");
        if (!code && lines.get(i).startsWith("|") && lines.get(i - 1).isBlank()) {
          tables++;
          assertThat(lines.get(i + 1)).as("%s:%d", page.getFileName(), i + 2).startsWith("|--");
        }
      }
    }
    assertThat(tables).isGreaterThan(5);
  }

  /** What the program is shipped with. */
  @Test
  void theNoticeNamesEveryLibrary() throws IOException {
    String notice = Files.readString(HOME.resolve("NOTICE"));
    String pom = Files.readString(HOME.resolve("pom.xml"));
    pom = pom.substring(0, pom.indexOf("<build>"));
    int libraries = 0;
    for (String dependency : pom.split("<dependency>")) {
      String text = dependency.split("</dependency>")[0];
      if (dependency.startsWith("<?xml") || text.contains("<scope>test</scope>")) {
        continue;
      }
      libraries++;
      String artifact = text.split("<artifactId>")[1].split("<")[0];
      String name = artifact.replaceFirst("-(core|nop|v\\d+)$", "").replaceAll("[^a-z0-9]", "");
      // Jackson's row lists its modules, and CDT has its full name.
      String last = name.replaceFirst("^(jackson|eclipse)", "");
      assertThat(notice.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9\n]", ""))
          .as("NOTICE names %s", artifact)
          .contains(last);
    }
    assertThat(libraries).isGreaterThanOrEqualTo(9);
  }
}
