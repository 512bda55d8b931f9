package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The litmus tests of {@code fixtures/litmus} under {@code --check order}: forbidden outcomes never
 * appear. If an order is removed from the source, the outcomes that it forbids appear within some
 * seeds. The quick profile takes a sample.
 */
@Tag("device")
@Execution(ExecutionMode.CONCURRENT) // each test starts devices of its own
final class LitmusTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final Path LITMUS = HOME.resolve("fixtures/litmus");
  private static final boolean FULL = TestProfile.isFull();

  /**
   * Number of seeds within which each row of without.tsv appears. docs/checks.md states these
   * numbers.
   */
  private static final int SEEDS = 5;

  private static final int ITERATIONS = 300;

  /** Number of seeds for unchanged programs. */
  private static final int WHOLE_SEEDS = FULL ? 20 : 1;

  private static final int WHOLE_ITERATIONS = 50;
  private static final Pattern LINE =
      Pattern.compile(
          "(?<test>\\w+) (?<scope>\\w+) (?<order>\\w+) (?<placement>\\w+): (?<counts>.+)");

  private static final Map<String, String> SOURCES =
      Map.of(
          "MP", "message_passing",
          "SB", "store_buffering",
          "LB", "load_buffering",
          "IRIW", "iriw",
          "SPIN", "spin_wait",
          "LOCK", "lock",
          "SEQLOCK", "seqlock");

  /** The setting of a test run. */
  private record Setting(String test, String placement, String scope, String order) {
    static Setting of(Matcher line) {
      return new Setting(
          line.group("test"), line.group("placement"), line.group("scope"), line.group("order"));
    }
  }

  /** A row of without.tsv. */
  private record Without(Program program, Setting setting, List<String> appears) {}

  /** A program: a test and the orders removed from it. */
  private record Program(String test, String macros) {
    String fileName() {
      return (test + " " + macros).strip().replace(' ', '.');
    }
  }

  /** The programs of the quick profile from which orders are removed. */
  private static final List<Program> SAMPLE = List.of(new Program("MP", "WITHOUT_ACQUIRE"));

  private static Stream<List<String>> rows(String name) throws Exception {
    return Files.readAllLines(LITMUS.resolve(name)).stream()
        .skip(1)
        .map(line -> Arrays.asList(line.split("\t")));
  }

  private static List<String> words(String text) {
    return text.isEmpty() || text.equals("none") ? List.of() : List.of(text.split(" "));
  }

  @TempDir private static Path folder;
  private static Map<Setting, List<String>> forbidden = Map.of();
  private static List<Without> withouts = List.of();

  @BeforeAll
  static void compileThem() throws Exception {
    forbidden =
        rows("outcomes.tsv")
            .collect(
                Collectors.toMap(
                    r -> new Setting(r.get(0), r.get(1), r.get(2), r.get(3)),
                    r -> words(r.get(5))));
    withouts =
        rows("without.tsv")
            .map(
                r ->
                    new Without(
                        new Program(r.get(0), r.get(1)),
                        new Setting(r.get(0), r.get(2), r.get(3), r.get(4)),
                        words(r.get(5))))
            .filter(w -> FULL || SAMPLE.contains(w.program()))
            .toList();
    for (Program program : whole()) {
      compile(program);
    }
    for (Program program : byProgram(withouts).keySet()) {
      compile(program);
    }
  }

  private static List<Program> whole() {
    return (FULL ? SOURCES.keySet().stream().sorted() : Stream.of("SPIN"))
        .map(test -> new Program(test, ""))
        .toList();
  }

  private static Map<Program, List<Without>> byProgram(List<Without> withouts) {
    return withouts.stream()
        .collect(Collectors.groupingBy(Without::program, LinkedHashMap::new, Collectors.toList()));
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.LitmusRuns#targets")
  void onlyWhatIsAllowedHappens(String target) throws Exception {
    for (int seed = 1; seed <= WHOLE_SEEDS; seed++) {
      try (DeviceProcess device = LitmusRuns.start(target, seed)) {
        for (Program program : whole()) {
          String where = target + " " + program.test() + " order=" + seed;
          Map<Setting, Set<String>> seen = run(device, program, WHOLE_ITERATIONS, List.of());
          assertThat(seen.keySet())
              .as(where)
              .isEqualTo(
                  forbidden.keySet().stream()
                      .filter(s -> s.test().equals(program.test()))
                      .collect(Collectors.toSet()));
          seen.forEach(
              (setting, outcomes) -> {
                List<String> never = new ArrayList<>(outcomes);
                never.retainAll(forbidden.get(setting));
                assertThat(never).as(where + " " + setting).isEmpty();
              });
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.LitmusRuns#otherTargets")
  void missingOrdersShowWithinSomeSeeds(String target) throws Exception {
    Map<Without, Integer> shown = new LinkedHashMap<>();
    List<Without> left = withouts;
    for (int seed = 1; seed <= SEEDS && !left.isEmpty(); seed++) {
      try (DeviceProcess device = LitmusRuns.start(target, seed)) {
        for (Map.Entry<Program, List<Without>> e : byProgram(left).entrySet()) {
          Map<Setting, Set<String>> seen = run(device, e.getKey(), ITERATIONS, e.getValue());
          for (Without without : e.getValue()) {
            Set<String> outcomes = seen.getOrDefault(without.setting(), Set.of());
            if (without.appears().stream().anyMatch(outcomes::contains)) {
              shown.put(without, seed);
            }
          }
        }
      }
      left = left.stream().filter(w -> !shown.containsKey(w)).toList();
    }
    report(target, shown);
    assertThat(left).as(target + ": no seed shows what is missing").isEmpty();
  }

  private static void compile(Program program) throws Exception {
    LitmusRuns.compile(
        LITMUS.resolve(SOURCES.get(program.test()) + ".hip"),
        words(program.macros()),
        folder.resolve(program.fileName()));
  }

  private static Map<Setting, Set<String>> run(
      DeviceProcess device, Program program, int iterations, List<Without> wanted)
      throws Exception {
    Set<String> command = new LinkedHashSet<>();
    command.add(folder.resolve(program.fileName()).toString());
    command.add("" + iterations);
    for (Without without : wanted) {
      Setting setting = without.setting();
      command.addAll(List.of(setting.placement(), setting.scope(), setting.order()));
    }
    Map<Setting, Set<String>> seen = new HashMap<>();
    for (String line : LitmusRuns.run(device, List.copyOf(command))) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        seen.put(Setting.of(matcher), LitmusRuns.outcomes(matcher.group("counts")));
      }
    }
    return seen;
  }

  /** The number of seeds in which each program shows its missing order. */
  private static void report(String target, Map<Without, Integer> shown) throws Exception {
    List<String> lines = new ArrayList<>();
    byProgram(withouts)
        .forEach(
            (program, rows) -> {
              IntSummaryStatistics seeds =
                  rows.stream().filter(shown::containsKey).mapToInt(shown::get).summaryStatistics();
              lines.add(
                  "%s %s: %d of %d settings, within %d seeds"
                      .formatted(
                          program.test(),
                          program.macros(),
                          seeds.getCount(),
                          rows.size(),
                          Math.max(0, seeds.getMax())));
            });
    Path file = HOME.resolve("target/litmus-" + target + ".txt");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, lines);
  }
}
