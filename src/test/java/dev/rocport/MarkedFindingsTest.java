package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.option.PortChoices;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.port.Porter;
import dev.rocport.port.ProgressListener;
import dev.rocport.port.Target;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The findings of each subject in {@code src/test/goldens/findings}, a file or a folder that is
 * ported as a tree of its own, are those that its {@link Mark marks} want. A comment {@code
 * options: --libs roc} anywhere in the subject gives the options of the port.
 *
 * <p>Every finding needs a mark if it is an error or a warning, or if the subject marks its rule
 * elsewhere. Other notes need none: a name that HIP has with a difference is one, and so is each
 * place that depends on the warp size, so marks for them would be on most lines and would not be
 * about the subject.
 */
final class MarkedFindingsTest {
  private static final Path FOLDER = Path.of("src/test/goldens/findings");
  private static final Path PYTHON = Path.of("fixtures/python");

  /** Rules that no file marks, with reasons. */
  private static final Path UNMARKED = FOLDER.resolve("unmarked.tsv");

  /** The number of these rules; it may only shrink. */
  private static final int MOST_UNMARKED = 38;

  private static final Pattern OPTIONS = Pattern.compile("(?:#|//) options: (.*)");
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();

  @TestFactory
  Stream<DynamicTest> everyFindingHasAMark() throws IOException {
    return subjects().stream()
        .map(s -> DynamicTest.dynamicTest(s.getFileName().toString(), () -> isAsMarked(s)));
  }

  private static void isAsMarked(Path subject) throws IOException {
    List<Mark> wanted = Mark.in(subject, "want");
    assertThat(wanted).as("marks").isNotEmpty();
    Set<String> rules = rules(wanted);
    List<String> unmarked = new ArrayList<>();
    List<Mark> found = new ArrayList<>();
    for (Finding f : findings(subject)) {
      Mark place = new Mark(f.path(), f.line(), f.rule());
      found.add(place);
      boolean needsMark = f.severity() != Severity.NOTE || rules.contains(f.rule());
      if (needsMark && !wanted.contains(place)) {
        unmarked.add(place + " " + f.message());
      }
    }
    assertThat(found).as("marked, but not found").containsAll(wanted);
    assertThat(unmarked).as("found, but not marked").isEmpty();
    List<Mark> wrong = Mark.in(subject, "ok").stream().filter(found::contains).toList();
    assertThat(wrong).as("found where it is marked as ok").isEmpty();
    assertThat(outside(found)).as("found, but ReportingRules does not name them").isEmpty();
  }

  @Test
  void marksNameRulesThatReport() throws IOException {
    assertThat(outside(Mark.in(FOLDER, "want"))).isEmpty();
    assertThat(outside(Mark.in(FOLDER, "ok"))).isEmpty();
  }

  /** A rule that reports has a mark, here or in the Python projects, or a reason not to. */
  @Test
  void onlyListedRulesHaveNoMark() throws IOException {
    SortedSet<String> unmarked = new TreeSet<>(ReportingRules.of(CATALOG));
    unmarked.removeAll(rules(Mark.in(FOLDER, "want")));
    unmarked.removeAll(rules(Mark.in(PYTHON, "want")));
    SortedSet<String> listed = new TreeSet<>();
    for (String row : Files.readAllLines(UNMARKED)) {
      String[] cells = row.split("\t", -1);
      assertThat(cells).as(row).hasSize(2).doesNotContain("");
      listed.add(cells[0]);
    }
    assertThat(listed).as("listed in " + UNMARKED + ", as no file marks them").isEqualTo(unmarked);
    assertThat(listed).as("rules without a mark").hasSizeLessThanOrEqualTo(MOST_UNMARKED);
  }

  private static List<Path> subjects() throws IOException {
    try (Stream<Path> entries = Files.list(FOLDER)) {
      return entries.filter(p -> !p.equals(UNMARKED)).sorted().toList();
    }
  }

  private static SortedSet<String> outside(List<Mark> marks) {
    SortedSet<String> rules = rules(marks);
    rules.removeAll(ReportingRules.of(CATALOG));
    return rules;
  }

  private static SortedSet<String> rules(List<Mark> marks) {
    SortedSet<String> rules = new TreeSet<>();
    marks.forEach(m -> rules.add(m.rule()));
    return rules;
  }

  private static List<Finding> findings(Path subject) throws IOException {
    SourceTree tree = SourceTree.walk(TreeSelection.of(List.of(subject)));
    return new Porter(CATALOG, PortChoices.parse(options(subject)), 1)
        .run(tree, Target.NONE, ProgressListener.NONE).stream()
            .map(FileResult::findings)
            .flatMap(List::stream)
            .toList();
  }

  private static List<String> options(Path subject) throws IOException {
    try (Stream<Path> files = Files.walk(subject)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        Matcher m = OPTIONS.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (m.find()) {
          return List.of(m.group(1).strip().split(" "));
        }
      }
    }
    return List.of();
  }
}
