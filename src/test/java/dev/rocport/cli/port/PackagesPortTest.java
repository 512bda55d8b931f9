package dev.rocport.cli.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each folder of {@code src/test/goldens/packages} is a project: {@code input} is ported, {@code
 * siblings} holds the files that the port adds, {@code findings.txt} the warnings and errors. No
 * file of the input may change, in any style.
 */
final class PackagesPortTest {
  private static final Path FOLDER = Path.of("src/test/goldens/packages");
  private static final Pattern FINDING =
      Pattern.compile("(?m)^(\\S+?:\\d+|\\S+?)(?::\\d+)?: (error|warning): .*\\[([A-Z-]+)\\]$");
  private static final UnaryOperator<String> CRLF = t -> t.replace("\n", "\r\n");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> projects() throws IOException {
    try (Stream<Path> list = Files.list(FOLDER)) {
      return list.sorted().toList().stream()
          .flatMap(
              p ->
                  Stream.of(
                      DynamicTest.dynamicTest(p.getFileName() + " hip", () -> ports(p, "hip")),
                      DynamicTest.dynamicTest(
                          p.getFileName() + " single-source", () -> ports(p, "single-source")),
                      DynamicTest.dynamicTest(p.getFileName() + " with CRLF", () -> keepsCrLf(p)),
                      DynamicTest.dynamicTest(p.getFileName() + " in place", () -> comesBack(p))));
    }
  }

  private void ports(Path project, String style) throws IOException {
    Path in = copy(project, "in-" + style, UnaryOperator.identity());
    Path out = folder.resolve(project.getFileName() + "-out-" + style);
    PortRun run = PortRun.of("port", in, "--out", out, "--style", style);
    SortedMap<String, String> ported = PortRun.tree(out);
    assertThat(ported).containsAllEntriesOf(PortRun.tree(in));
    assertThat(added(in, ported)).isEqualTo(siblings(project, UnaryOperator.identity()));
    Path findings = project.resolve("findings.txt");
    assertThat(findings(run.out() + run.err()))
        .isEqualTo(Files.exists(findings) ? Files.readString(findings) : "");
    PortRun.of("port", in, "--out", out, "--style", style);
    assertThat(PortRun.tree(out)).isEqualTo(ported);
    Path twice = folder.resolve(project.getFileName() + "-twice-" + style);
    PortRun.of("port", out, "--out", twice, "--style", style);
    assertThat(PortRun.tree(twice)).isEqualTo(ported);
    assertThat(PortRun.of("isolation", in, out).code()).isZero();
  }

  private void keepsCrLf(Path project) throws IOException {
    Path in = copy(project, "crlf", CRLF);
    Path out = folder.resolve(project.getFileName() + "-crlf-out");
    PortRun.of("port", in, "--out", out);
    assertThat(added(in, PortRun.tree(out))).isEqualTo(siblings(project, CRLF));
  }

  private void comesBack(Path project) throws IOException {
    Path in = copy(project, "place", UnaryOperator.identity());
    SortedMap<String, String> before = PortRun.tree(in);
    PortRun.of("port", in, "--in-place");
    SortedMap<String, String> ported = PortRun.tree(in);
    assertThat(ported).containsAllEntriesOf(before);
    PortRun.of("port", in, "--in-place");
    assertThat(PortRun.tree(in)).isEqualTo(ported);
    PortRun.of("port", in, "--undo");
    assertThat(PortRun.tree(in)).isEqualTo(before);
  }

  private static SortedMap<String, String> siblings(Path project, UnaryOperator<String> change)
      throws IOException {
    SortedMap<String, String> all = new TreeMap<>();
    if (Files.exists(project.resolve("siblings"))) {
      all.putAll(PortRun.tree(project.resolve("siblings")));
    }
    all.replaceAll((path, text) -> change.apply(text));
    return all;
  }

  private static SortedMap<String, String> added(Path in, SortedMap<String, String> out)
      throws IOException {
    SortedMap<String, String> added = new TreeMap<>(out);
    added.keySet().removeAll(PortRun.tree(in).keySet());
    return added;
  }

  private static String findings(String text) {
    StringBuilder s = new StringBuilder();
    Matcher m = FINDING.matcher(text);
    while (m.find()) {
      s.append(m.group(1)).append(' ').append(m.group(2)).append(' ').append(m.group(3));
      s.append('\n');
    }
    return s.toString();
  }

  private Path copy(Path project, String name, UnaryOperator<String> change) throws IOException {
    Path to = folder.resolve(project.getFileName() + "-" + name);
    for (var e : PortRun.tree(project.resolve("input")).entrySet()) {
      byte[] bytes = change.apply(e.getValue()).getBytes(StandardCharsets.ISO_8859_1);
      PortRun.write(to.resolve(e.getKey()), bytes);
    }
    return to;
  }
}
