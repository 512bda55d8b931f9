package dev.rocport.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The litmus tests of {@code fixtures/ptx/litmus}, in inline PTX, ported and run under {@code
 * --check order}: what PTX forbids never appears, and where an instruction lacks its order, it does
 * in some seed. The quick profile takes one program.
 */
@Tag("device")
@Execution(ExecutionMode.CONCURRENT) // each test starts devices of its own
final class PtxLitmusTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final Path LITMUS = HOME.resolve("fixtures/ptx/litmus");
  private static final boolean FULL = TestProfile.isFull();

  /** The README of the programs states these numbers. */
  private static final int SEEDS = 1;

  private static final int ITERATIONS = 300;
  private static final int WHOLE_SEEDS = FULL ? 10 : 1;
  private static final int WHOLE_ITERATIONS = 50;
  private static final Pattern LINE =
      Pattern.compile("(?<test>\\w+) (?<scope>\\w+) (?<placement>\\w+): (?<counts>.+)");
  private static final Map<String, String> SOURCES =
      Map.of(
          "MP", "message_passing",
          "FENCES", "fences",
          "SB", "store_buffering",
          "SPIN", "spin_wait",
          "TURN", "handover");

  @TempDir static Path folder;

  /** The setting of a test run. */
  private record Setting(String test, String placement, String scope) {}

  /**
   * A row of one of the tables: the outcomes that a program, with or without a macro, must not or
   * must show.
   */
  private record Row(Setting setting, String macro, List<String> outcomes) {
    String program() {
      return SOURCES.get(setting.test()) + (macro.isEmpty() ? "" : "." + macro);
    }
  }

  @BeforeAll
  static void portAndCompile() throws Exception {
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed);
    String port = folder.resolve("port").toString();
    int code = Main.run(out, out, "port", LITMUS.toString(), "--out", port, "--quiet");
    assertThat(code).as(printed.toString()).isZero();
    Set<String> programs = new HashSet<>();
    for (Row row : Stream.concat(forbidden().stream(), withouts().stream()).toList()) {
      if (programs.add(row.program())) {
        compile(row);
      }
    }
  }

  private static List<Row> forbidden() throws Exception {
    return rows("outcomes.tsv")
        .map(r -> new Row(new Setting(r[0], r[1], r[2]), "", List.of(r[3].split(" "))))
        .filter(PtxLitmusTest::isRun)
        .toList();
  }

  private static List<Row> withouts() throws Exception {
    return rows("without.tsv")
        .map(r -> new Row(new Setting(r[0], r[2], r[3]), r[1], List.of(r[4].split(" "))))
        .filter(PtxLitmusTest::isRun)
        .toList();
  }

  private static Stream<String[]> rows(String table) throws Exception {
    return Files.readAllLines(LITMUS.resolve(table)).stream()
        .skip(1)
        .map(line -> line.split("\t", -1));
  }

  private static boolean isRun(Row row) {
    return FULL || row.setting().test().equals("SPIN");
  }

  private static void compile(Row row) throws Exception {
    LitmusRuns.compile(
        folder.resolve("port").resolve(SOURCES.get(row.setting().test()) + ".cu"),
        row.macro().isEmpty() ? List.of() : List.of(row.macro()),
        folder.resolve(row.program()));
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.LitmusRuns#targets")
  void nothingForbiddenHappens(String target) throws Exception {
    List<Row> rows = forbidden();
    for (int seed = 1; seed <= WHOLE_SEEDS; seed++) {
      Map<Setting, Set<String>> seen = new HashMap<>();
      try (DeviceProcess device = LitmusRuns.start(target, seed)) {
        for (String program : rows.stream().map(Row::program).distinct().toList()) {
          seen.putAll(run(device, program, WHOLE_ITERATIONS));
        }
      }
      for (Row row : rows) {
        String where = target + " order=" + seed + " " + row.setting();
        assertThat(seen).as(where).containsKey(row.setting());
        assertThat(seen.get(row.setting()))
            .as(where)
            .isNotEmpty()
            .doesNotContainAnyElementsOf(row.outcomes());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.LitmusRuns#otherTargets")
  void missingOrdersShow(String target) throws Exception {
    List<Row> left = withouts();
    assertThat(left).isNotEmpty();
    for (int seed = 1; seed <= SEEDS && !left.isEmpty(); seed++) {
      List<Row> hidden = new ArrayList<>();
      try (DeviceProcess device = LitmusRuns.start(target, seed)) {
        for (Row row : left) {
          Setting s = row.setting();
          Set<String> outcomes =
              run(device, row.program(), ITERATIONS, s.placement(), s.scope())
                  .getOrDefault(s, Set.of());
          if (row.outcomes().stream().noneMatch(outcomes::contains)) {
            hidden.add(row);
          }
        }
      }
      left = hidden;
    }
    assertThat(left).as(target + ": no seed shows what is missing").isEmpty();
  }

  private static Map<Setting, Set<String>> run(
      DeviceProcess device, String program, int iterations, String... words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(folder.resolve(program).toString());
    command.add("" + iterations);
    command.addAll(List.of(words));
    Map<Setting, Set<String>> seen = new HashMap<>();
    for (String line : LitmusRuns.run(device, command)) {
      Matcher m = LINE.matcher(line);
      if (m.matches()) {
        seen.put(
            new Setting(m.group("test"), m.group("placement"), m.group("scope")),
            LitmusRuns.outcomes(m.group("counts")));
      }
    }
    return seen;
  }
}
