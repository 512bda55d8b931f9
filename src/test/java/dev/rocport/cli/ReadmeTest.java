package dev.rocport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestClasses;
import dev.rocport.device.TestDevice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The way that the README shows to somebody new, and the links of all pages. */
@Tag("device")
class ReadmeTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home"));
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");
  private static final String FAILS = "# exits with 1";

  @TempDir private Path folder;

  /** Each command ends as the page says, and prints the lines that the page shows after it. */
  @Test
  void theFirstTenMinutes() throws Exception {
    String page = Files.readString(HOME.resolve("README.md"));
    int from = page.indexOf("## Ten minutes");
    String tour = page.substring(from, page.indexOf("\n## ", from));
    TestClasses.launcher(folder.resolve("rocport"));
    Files.createSymbolicLink(folder.resolve("fixtures"), HOME.resolve("fixtures"));
    int commands = 0;
    int shown = 0;
    String printed = "";
    String[] parts = tour.split("(?m)^```", -1);
    for (int i = 1; i < parts.length; i += 2) {
      List<String> lines = parts[i].lines().skip(1).toList();
      if (parts[i].startsWith("sh\n")) {
        printed = "";
        for (String line : lines) {
          printed += run(line);
          commands++;
        }
      } else {
        for (String line : lines) {
          assertThat(printed).containsPattern(shown(line));
          shown++;
        }
      }
    }
    assertThat(commands).isGreaterThan(10);
    assertThat(shown).isGreaterThan(8);
    assertThat(folder.resolve("target/tour/reports/report.html")).exists();
  }

  private String run(String line) throws Exception {
    Path log = folder.resolve("log");
    ProcessBuilder b = new ProcessBuilder("bash", "-c", line);
    b.directory(folder.toFile());
    b.environment().putAll(TestDevice.environment("gfx90a"));
    b.redirectErrorStream(true);
    b.redirectOutput(log.toFile());
    int code = b.start().waitFor();
    String printed = Files.readString(log);
    assertThat(code).as("%s: %s", line, printed).isEqualTo(line.endsWith(FAILS) ? 1 : 0);
    return printed;
  }

  /** A pattern of a line in which {@code ...} is any text and blanks are as many as they are. */
  private static Pattern shown(String line) {
    return Pattern.compile(
        Arrays.stream(line.strip().split("\\s*\\.\\.\\.\\s*", -1))
            .map(
                text ->
                    Arrays.stream(text.split("\\s+"))
                        .map(Pattern::quote)
                        .collect(Collectors.joining("\\s+")))
            .collect(Collectors.joining(".*")));
  }

  /** Files and headings that pages point to are there. */
  @TestFactory
  List<DynamicTest> links() throws IOException {
    List<Path> pages = new ArrayList<>();
    pages.add(HOME.resolve("README.md"));
    for (String below : List.of("docs", "fixtures", "hip-runtime")) {
      try (Stream<Path> all = Files.walk(HOME.resolve(below))) {
        all.filter(p -> p.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages.stream()
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

  /** What a page's headings are called in links. */
  private static Set<String> headings(Path page) throws IOException {
    String text = new String(Files.readAllBytes(page), StandardCharsets.UTF_8);
    return HEADING
        .matcher(text)
        .results()
        .map(h -> h.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", ""))
        .map(h -> h.strip().replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
