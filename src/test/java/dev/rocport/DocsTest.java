package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The form of the pages. */
final class DocsTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final Path SOURCES = HOME.resolve("src/main/java/dev/rocport");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

  /** A row of the table of packages. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.]+)` \\|");

  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  /** The name of a class, or of a member of one. */
  private static final Pattern CLASS =
      Pattern.compile("[A-Z][a-z0-9]+([A-Z][A-Za-z0-9]*)+(\\.[a-z]\\w*)?");

  /** A path below the root; a path with only capitals, a star or a comma is a pattern. */
  private static final Pattern FILE =
      Pattern.compile("(src|rules|docs|fixtures|hip-runtime|reports)/[a-z][\\w./-]*");

  /** A row after a blank line begins a table, so a line of dashes follows it. */
  @Test
  void noBlankLineBreaksATable() throws IOException {
    List<Path> pages = pages("docs");
    assertThat(pages).hasSizeGreaterThan(15);
    int tables = 0;
    for (Path page : pages) {
      List<String> lines = Files.readAllLines(page);
      boolean code = false;
      for (int i = 1; i + 1 < lines.size(); i++) {
        code ^= lines.get(i).startsWith("```");
        if (!code && lines.get(i).startsWith("|") && lines.get(i - 1).isBlank()) {
          tables++;
          assertThat(lines.get(i + 1)).as("%s:%d", page, i + 2).startsWith("|--");
        }
      }
    }
    assertThat(tables).isGreaterThan(25);
  }

  /** New users should be able to read all of it. */
  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(HOME.resolve("README.md"))).hasSizeLessThan(200);
  }

  /** Files and headings that pages link to exist. */
  @TestFactory
  List<DynamicTest> links() throws IOException {
    return pages("docs", "fixtures", "hip-runtime").stream()
        .map(page -> DynamicTest.dynamicTest(HOME.relativize(page).toString(), () -> linksOf(page)))
        .toList();
  }

  private static void linksOf(Path page) throws IOException {
    Matcher link = LINK.matcher(withoutCode(Files.readString(page)));
    while (link.find()) {
      String target = link.group(1);
      if (target.matches("[a-z]+:.*")) {
        continue;
      }
      String[] parts = target.split("#", 2);
      Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
      assertThat(file).as("%s in %s", target, page).exists();
      if (parts.length == 2) {
        assertThat(headings(file)).as("%s in %s", target, page).contains(parts[1]);
      }
    }
  }

  private static String withoutCode(String text) {
    return text.replaceAll("(?ms)^```.*?^```", "").replaceAll("`[^`\n]*`", "");
  }

  /** Returns the anchors of the headings of a page. */
  private static Set<String> headings(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(h -> h.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", ""))
        .map(h -> h.strip().replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  /** The packages that ARCHITECTURE.md lists are those that exist. */
  @Test
  void theArchitectureHasEveryPackage() throws IOException {
    SortedSet<String> packages = new TreeSet<>();
    try (Stream<Path> all = Files.walk(SOURCES)) {
      all.filter(p -> p.endsWith("package-info.java"))
          .map(p -> SOURCES.relativize(p.getParent()).toString().replace('/', '.'))
          .forEach(packages::add);
    }
    String page = Files.readString(HOME.resolve("ARCHITECTURE.md"));
    String listed = section(page, "## Packages");
    assertThat(ROW.matcher(listed).results().map(r -> r.group(1)))
        .containsExactlyInAnyOrderElementsOf(packages);
  }

  /** Classes, packages and files that the pages for developers name exist. */
  @Test
  void namedClassesAndFilesExist() throws IOException {
    Set<String> classes = new HashSet<>();
    for (String folder : List.of("src/main/java", "src/test/java")) {
      try (Stream<Path> all = Files.walk(HOME.resolve(folder))) {
        all.map(p -> p.getFileName().toString())
            .filter(n -> n.endsWith(".java"))
            .forEach(n -> classes.add(n.replace(".java", "")));
      }
    }
    List<Path> pages = pages("docs/decisions");
    pages.removeIf(p -> p.endsWith("README.md") && p.getParent().equals(HOME));
    pages.removeIf(p -> p.endsWith("CHANGELOG.md"));
    int found = 0;
    for (Path page : pages) {
      String text = Files.readString(page).replaceAll("(?ms)^```.*?^```", "");
      for (MatchResult code : CODE.matcher(text).results().toList()) {
        String name = code.group(1);
        if (CLASS.matcher(name).matches()) {
          found++;
          assertThat(classes).as("%s in %s", name, page).contains(name.split("\\.")[0]);
        } else if (FILE.matcher(name).matches()) {
          found++;
          assertThat(HOME.resolve(name)).as("%s in %s", name, page).exists();
        }
      }
    }
    assertThat(found).isGreaterThan(100);
  }

  private static String section(String page, String heading) {
    int from = page.indexOf(heading + "\n");
    assertThat(from).as(heading).isNotNegative();
    int to = page.indexOf("\n## ", from);
    return page.substring(from, to < 0 ? page.length() : to);
  }

  /** The pages in the root and below some folders. */
  private static List<Path> pages(String... folders) throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> root = Files.list(HOME)) {
      root.filter(p -> p.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    for (String folder : folders) {
      try (Stream<Path> all = Files.walk(HOME.resolve(folder))) {
        all.filter(p -> p.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }

  /** NOTICE lists every library that is shipped. */
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
      assertThat(notice.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9\n]", ""))
          .as("NOTICE names %s", artifact)
          .contains(last);
    }
    assertThat(libraries).isGreaterThanOrEqualTo(9);
  }
}
