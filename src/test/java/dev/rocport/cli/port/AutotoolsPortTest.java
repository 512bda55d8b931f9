package dev.rocport.cli.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
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
 * Each folder of {@code src/test/goldens/autotools} is a project: {@code input} is ported, {@code
 * hip} and {@code single-source} hold the files that change or come, {@code findings.txt} what is
 * told above a note.
 */
final class AutotoolsPortTest {
  private static final Path FOLDER = Path.of("src/test/goldens/autotools");
  private static final List<String> STYLES = List.of("hip", "single-source");
  private static final Pattern FINDING =
      Pattern.compile("(?m)^(\\S+?:\\d+|\\S+?)(?::\\d+)?: (error|warning): .*\\[([A-Z-]+)\\]$");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> projects() throws IOException {
    try (Stream<Path> list = Files.list(FOLDER)) {
      return list.sorted().toList().stream()
          .flatMap(
              p ->
                  STYLES.stream()
                      .flatMap(
                          s ->
                              Stream.of(
                                  DynamicTest.dynamicTest(
                                      p.getFileName() + " " + s, () -> ports(p, s)),
                                  DynamicTest.dynamicTest(
                                      p.getFileName() + " " + s + " with CRLF",
                                      () -> keepsCrLf(p, s)),
                                  DynamicTest.dynamicTest(
                                      p.getFileName() + " " + s + " in place",
                                      () -> comesBack(p, s)))));
    }
  }

  private void ports(Path project, String style) throws IOException {
    Path in = copy(project.resolve("input"), "in-" + project.getFileName() + style, t -> t);
    Path out = folder.resolve("out-" + project.getFileName() + style);
    PortRun run = PortRun.of("port", in, "--out", out, "--style", style);
    assertThat(changed(PortRun.tree(in), PortRun.tree(out)))
        .isEqualTo(changed(PortRun.tree(in), expected(project, in, style)));
    Path findings = project.resolve("findings.txt");
    assertThat(findings(run.out() + run.err()))
        .isEqualTo(Files.exists(findings) ? Files.readString(findings) : "");
    // The macros are the template as it stands.
    PortRun.tree(out)
        .forEach(
            (path, text) -> {
              if (path.endsWith("ax_check_rocm.m4")) {
                assertThat(text).isEqualTo(template());
              }
            });
    SortedMap<String, String> first = PortRun.tree(out);
    PortRun again = PortRun.of("port", in, "--out", out, "--style", style);
    assertThat(again.code()).isEqualTo(run.code());
    assertThat(PortRun.tree(out)).isEqualTo(first);
    Path twice = folder.resolve("twice-" + project.getFileName() + style);
    PortRun.of("port", out, "--out", twice, "--style", style);
    assertThat(PortRun.tree(twice)).isEqualTo(first);
    if (style.equals("single-source")) {
      PortRun isolation = PortRun.of("isolation", in, out);
      assertThat(isolation.out()).contains(", 0 different");
      assertThat(isolation.code()).isZero();
    }
  }

  /** Build files with the line ends of another system keep them; the new lines have them, too. */
  private void keepsCrLf(Path project, String style) throws IOException {
    UnaryOperator<String> crlf = t -> t.replace("\n", "\r\n");
    Path in = copy(project.resolve("input"), "crlf-" + project.getFileName() + style, crlf);
    Path out = folder.resolve("crlf-out-" + project.getFileName() + style);
    PortRun.of("port", in, "--out", out, "--style", style);
    for (var e : PortRun.tree(out).entrySet()) {
      Path golden = project.resolve(style).resolve(e.getKey());
      if (Files.exists(golden) && e.getKey().matches(".*(\\.am|\\.ac)")) {
        assertThat(e.getValue())
            .as(e.getKey())
            .isEqualTo(crlf.apply(Files.readString(golden, StandardCharsets.ISO_8859_1)));
      }
    }
  }

  /** In place, the port is the same, a second one changes nothing, and undo brings all back. */
  private void comesBack(Path project, String style) throws IOException {
    Path in = copy(project.resolve("input"), "place-" + project.getFileName() + style, t -> t);
    SortedMap<String, String> before = PortRun.tree(in);
    PortRun.of("port", in, "--in-place", "--style", style);
    SortedMap<String, String> ported = PortRun.tree(in);
    assertThat(changed(before, ported))
        .isEqualTo(changed(before, expected(project, project.resolve("input"), style)));
    PortRun.of("port", in, "--in-place", "--style", style);
    assertThat(PortRun.tree(in)).isEqualTo(ported);
    assertThat(PortRun.of("port", in, "--undo").code()).isZero();
    assertThat(PortRun.tree(in)).isEqualTo(before);
  }

  private static String template() {
    try {
      return Files.readString(
          Path.of("rules/autotools/ax_check_rocm.m4"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static SortedMap<String, String> expected(Path project, Path in, String style)
      throws IOException {
    SortedMap<String, String> all = new TreeMap<>(PortRun.tree(in));
    Path goldens = project.resolve(style);
    if (Files.exists(goldens)) {
      all.putAll(PortRun.tree(goldens));
    }
    return all;
  }

  /** What is new or different; rocport's own headers and macros have tests of their own. */
  private static SortedMap<String, String> changed(
      SortedMap<String, String> before, SortedMap<String, String> after) {
    SortedMap<String, String> changed = new TreeMap<>(after);
    changed.entrySet().removeIf(e -> e.getValue().equals(before.get(e.getKey())));
    changed
        .keySet()
        .removeIf(path -> path.startsWith("rocport/") || path.endsWith("ax_check_rocm.m4"));
    return changed;
  }

  private static String findings(String text) {
    StringBuilder s = new StringBuilder();
    Matcher m = FINDING.matcher(text);
    while (m.find()) {
      s.append(m.group(1)).append(' ').append(m.group(3)).append('\n');
    }
    return s.toString();
  }

  private Path copy(Path from, String name, UnaryOperator<String> change) throws IOException {
    Path to = folder.resolve(name);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.sorted().toList()) {
        Path at = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(at);
        } else {
          Files.copy(file, at, StandardCopyOption.COPY_ATTRIBUTES);
          String text = Files.readString(file, StandardCharsets.ISO_8859_1);
          Files.writeString(at, change.apply(text), StandardCharsets.ISO_8859_1);
        }
      }
    }
    return to;
  }
}
