package dev.rocport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestClasses;
import dev.rocport.device.TestDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the README's tour work as described. */
@Tag("device")
class ReadmeTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home"));
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
}
