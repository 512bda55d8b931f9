package dev.rocport.lang.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rocport.Mark;
import dev.rocport.cli.Main;
import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Whole Python projects. Their lines specify what a port must act on; nothing else may be touched,
 * NVIDIA sees the original byte for byte, and against a stand-in for PyTorch the port does the same
 * as the original on NVIDIA, and on AMD what {@code expected-rocm.jsonl} has.
 */
@Tag("slow")
final class PythonFixturesTest {
  private static final Path FIXTURES = Path.of("fixtures/python");

  @TempDir static Path folder;

  private static final Map<String, Acts> PORTED = new TreeMap<>();

  @BeforeAll
  static void port() throws IOException {
    for (String name : names()) {
      PORTED.put(name, Acts.of(FIXTURES.resolve(name), folder.resolve("ported").resolve(name)));
    }
  }

  @TestFactory
  Stream<DynamicTest> everyRuleActsWhereItShouldAndNowhereElse() {
    return names().stream().map(n -> DynamicTest.dynamicTest(n, () -> actsAsWanted(n)));
  }

  private static void actsAsWanted(String name) throws IOException {
    Path original = FIXTURES.resolve(name);
    Set<String> unwanted = new TreeSet<>(acts(name).told());
    Set<String> missing = Wants.of(original, "want");
    unwanted.removeAll(missing);
    unwanted.removeAll(Wants.of(original, "gap"));
    missing.removeAll(acts(name).told());
    assertThat(missing).as("wanted, not done; done and not wanted: " + unwanted).isEmpty();
    assertThat(unwanted).as("done, not wanted").isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> nvidiaSeesTheOriginal() {
    return names().stream().map(n -> DynamicTest.dynamicTest(n, () -> isIsolated(n)));
  }

  private static void isIsolated(String name) {
    StringWriter out = new StringWriter();
    PrintWriter to = new PrintWriter(out);
    String original = FIXTURES.resolve(name).toString();
    int code = Main.run(to, to, "isolation", original, acts(name).folder().toString(), "--quiet");
    assertThat(code).as(out.toString()).isZero();
  }

  @TestFactory
  Stream<DynamicTest> aNegativeProjectStaysAsItIs() throws IOException {
    List<String> negative = new ArrayList<>();
    for (String name : names()) {
      if (Files.readString(FIXTURES.resolve(name).resolve("project.yaml")).contains("negative:")) {
        negative.add(name);
      }
    }
    assertThat(negative).hasSizeGreaterThan(1);
    return negative.stream().map(n -> DynamicTest.dynamicTest(n, () -> staysAsItIs(n)));
  }

  private static void staysAsItIs(String name) throws IOException {
    Path ported = acts(name).folder();
    List<Path> added = new ArrayList<>(files(ported));
    for (Path file : files(FIXTURES.resolve(name))) {
      assertThat(ported.resolve(file)).hasSameBinaryContentAs(FIXTURES.resolve(name).resolve(file));
      added.remove(file);
    }
    assertThat(added).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> portingThePortChangesNothing() {
    return names().stream().map(n -> DynamicTest.dynamicTest(n, () -> isIdempotent(n)));
  }

  private static void isIdempotent(String name) throws IOException {
    Path once = acts(name).folder();
    Path twice = folder.resolve("twice").resolve(name);
    StringWriter out = new StringWriter();
    PrintWriter to = new PrintWriter(out);
    String[] command = {
      "port", once.toString(), "--out", twice.toString(), "--quiet", "--style", "single-source"
    };
    int code = Main.run(to, to, command);
    assertThat(code).as(out.toString()).isIn(0, 1);
    for (Path file : files(once)) {
      assertThat(twice.resolve(file)).hasSameBinaryContentAs(once.resolve(file));
    }
    assertThat(files(twice)).hasSameSizeAs(files(once));
  }

  @Test
  void onNvidiaThePortDoesWhatTheOriginalDoes() throws Exception {
    Path originals = standin("nvidia", FIXTURES);
    Path ports = standin("nvidia", folder.resolve("ported"));
    for (Path file : files(originals)) {
      assertThat(ports.resolve(file)).hasSameBinaryContentAs(originals.resolve(file));
    }
    assertThat(files(ports)).isEqualTo(files(originals)).isNotEmpty();
  }

  @Test
  void onAmdItTakesTheBranchesForIt() throws Exception {
    Path logs = standin("gfx942", folder.resolve("ported"));
    int compared = 0;
    for (String name : names()) {
      Path log = logs.resolve(name + ".jsonl");
      Path expected = FIXTURES.resolve(name).resolve("expected-rocm.jsonl");
      assertThat(Files.exists(expected)).as(name).isEqualTo(!isByHand(name, "gfx942"));
      if (Files.exists(log) && Files.exists(expected)) { // this Python may be too old for it
        assertThat(Files.readString(log)).as(name).isEqualTo(Files.readString(expected));
        isSound(log);
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(12);
  }

  @Test
  void otherAmdGpusRunEveryProjectToo() throws Exception {
    for (String gpu : List.of("gfx90a", "gfx950")) {
      Path logs = standin(gpu, folder.resolve("ported"));
      for (Path log : files(logs)) {
        if (!isByHand(log.toString().replaceAll("\\..*", ""), gpu)) {
          isSound(logs.resolve(log));
        }
      }
    }
  }

  /** Nothing was compiled with settings, or done, that AMD must not have. */
  private static void isSound(Path log) throws IOException {
    assertThat(Files.readString(log))
        .as(log.toString())
        .doesNotContain("\"hazards\": [\"", "\"event\": \"hazard\"");
  }

  /** Whether something is left to do before a project runs on this GPU. */
  private static boolean isByHand(String name, String gpu) throws IOException {
    return Files.readAllLines(FIXTURES.resolve(name).resolve("project.yaml")).stream()
        .anyMatch(l -> l.startsWith("by-hand:") && l.contains(gpu));
  }

  @Test
  void withoutThePortAmdGetsWhatItMustNotHave() throws Exception {
    Path logs = folder.resolve("unported");
    Run run = record("gfx942", FIXTURES, logs);
    assertThat(run.code()).as("projects that need the port to run").isEqualTo(1);
    int hazards = 0;
    for (Path log : files(logs)) {
      hazards += Files.readString(logs.resolve(log)).contains("\"hazards\": [\"") ? 1 : 0;
    }
    assertThat(hazards).isGreaterThan(6);
  }

  /** The logs of all projects under {@code trees}, run against the stand-in as this build. */
  private static Path standin(String build, Path trees) throws Exception {
    Path logs = folder.resolve("logs").resolve(build + (trees.equals(FIXTURES) ? "-original" : ""));
    Run run = record(build, trees, logs);
    assertThat(run.code()).as(run.text()).isZero();
    return logs;
  }

  private record Run(int code, String text) {}

  private static Run record(String build, Path trees, Path logs) throws Exception {
    assumeThat(python()).as("a python3 of 3.8 or later on the PATH").isTrue();
    return run(
        "python3",
        FIXTURES.resolve("record.py").toString(),
        "--ported",
        trees.toString(),
        "--standin",
        build,
        "--logs",
        logs.toString());
  }

  private static boolean python() throws InterruptedException {
    try {
      return run("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 8))").code() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Run run(String... command) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "run", ".txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(List.of(command).toString()).isTrue();
    return new Run(process.exitValue(), Files.readString(out));
  }

  private static Acts acts(String name) {
    Acts acts = PORTED.get(name);
    assertThat(acts).isNotNull();
    return acts;
  }

  private static List<String> names() {
    try (Stream<Path> list = Files.list(FIXTURES)) {
      return list.filter(p -> Files.exists(p.resolve("project.yaml")))
          .map(p -> p.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All files below a folder, relative, without what rocport keeps for itself. */
  static List<Path> files(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(Files::isRegularFile)
          .map(root::relativize)
          .filter(p -> !p.startsWith(".rocport") && !p.toString().contains("__pycache__"))
          .sorted()
          .toList();
    }
  }

  /** The rules at the lines of each file, as {@code path:line RULE}, in order. */
  static String at(Path file, int line, String rule) {
    return String.format("%s:%04d %s", file.toString().replace('\\', '/'), line, rule);
  }

  /** The first line of the logical line that each physical line belongs to; from 1. */
  static int[] logical(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int[] first = new int[(int) text.chars().filter(c -> c == '\n').count() + 3];
    int line = 1;
    int start = 1;
    int depth = 0;
    String quote = "";
    for (int i = 0; i < text.length(); i++) {
      first[line] = start;
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
        if (i < text.length() && text.charAt(i) == '\r') {
          i++;
        }
        if (i < text.length() && text.charAt(i) == '\n') {
          first[++line] = start;
        }
      } else if (!quote.isEmpty()) {
        if (text.startsWith(quote, i)) {
          i += quote.length() - 1;
          quote = "";
        } else if (c == '\n') {
          first[++line] = start;
        }
      } else if (c == '"' || c == '\'') {
        String three = String.valueOf(c).repeat(3);
        quote = text.startsWith(three, i) ? three : three.substring(2);
        i += quote.length() - 1;
      } else if (c == '#') {
        while (i + 1 < text.length() && text.charAt(i + 1) != '\n') {
          i++;
        }
      } else if (c == '\n') {
        line++;
        start = depth == 0 ? line : start;
        first[line] = start;
      } else {
        depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
      }
    }
    first[line] = start;
    return first;
  }

  /** What the input expects. */
  private record Wants() {
    /**
     * @param word {@code want}, or {@code gap} for what is not found everywhere and could be
     */
    static Set<String> of(Path project, String word) throws IOException {
      Set<String> wants = new TreeSet<>();
      for (Mark mark : Mark.in(project, word)) {
        Path file = Path.of(mark.path());
        int line = mark.line();
        wants.add(
            at(file, isPython(file) ? logical(project.resolve(file))[line] : line, mark.rule()));
      }
      return wants;
    }

    private static boolean isPython(Path file) {
      return file.toString().endsWith(".py");
    }

    private static int[] logical(Path file) throws IOException {
      return PythonFixturesTest.logical(Files.readAllBytes(file));
    }
  }

  /**
   * What the port did: edits and findings at logical lines, and the location of the ported tree.
   */
  private record Acts(Path folder, Set<String> told) {
    /** Lines that only add the gate, or code that a gated line needs. */
    private static final Pattern GATE =
        Pattern.compile(
            "\\s*(from [\\w.]+ import [\\w, ]+|import (?:torch|os as _os)  # for is_rocm|is_rocm ="
                + " .*|if is_rocm:)\\s*");

    private static final Pattern QUOTED = Pattern.compile("\"(\\w+)\"");

    static Acts of(Path original, Path ported) throws IOException {
      Path report = ported.resolveSibling(ported.getFileName() + "-report");
      StringWriter out = new StringWriter();
      PrintWriter to = new PrintWriter(out);
      List<String> command = new ArrayList<>();
      command.addAll(List.of("port", original.toString(), "--out", ported.toString(), "--quiet"));
      command.addAll(List.of("--report", report.toString(), "--style", "single-source"));
      int code = Main.run(to, to, command.toArray(String[]::new));
      assertThat(code).as(original + "\n" + out).isIn(0, 1); // 1: there are errors to be seen to
      Set<String> told = new TreeSet<>();
      findings(original, ported, report.resolve("report.json"), told);
      edits(original, told);
      return new Acts(ported, told);
    }

    private static void findings(Path original, Path ported, Path report, Set<String> told)
        throws IOException {
      for (JsonNode file : new ObjectMapper().readTree(Files.readString(report)).path("files")) {
        Path path = Path.of(file.path("path").asString());
        if (file.path("status").asString().equals("failed")) {
          told.add(path + " failed: " + file.path("message").asString());
        }
        boolean python = path.toString().endsWith(".py");
        boolean code = python || Notebook.isNotebook(path.toString());
        int[] logical = python ? logical(Files.readAllBytes(original.resolve(path))) : new int[0];
        for (JsonNode finding : file.path("findings")) {
          int line = finding.path("line").asInt();
          String rule = finding.path("rule").asString();
          if (code || !finding.path("disposition").asString().equals("ported")) {
            told.add(at(path, python ? logical[line] : line, rule));
          } else {
            siblings(original, ported, path, rule, finding.path("message").asString(), told);
          }
        }
      }
    }

    /** Lines that are wanted and that the sibling for ROCm does not have. */
    private static void siblings(
        Path original, Path ported, Path path, String rule, String message, Set<String> told)
        throws IOException {
      String name = message.substring(0, message.indexOf(' '));
      if (!name.contains(path.getFileName().toString().replaceAll("(?<=.)\\..*", ""))) {
        return; // of another form, such as requirements for a pyproject.toml
      }
      List<String> lines = Files.readAllLines(ported.resolve(path).resolveSibling(name));
      int line = 0;
      for (String text : Files.readAllLines(original.resolve(path))) {
        line++;
        String act = at(path, line, rule);
        if (!lines.contains(text) && Wants.of(original, "want").contains(act)) {
          told.add(act);
        }
      }
    }

    private static void edits(Path original, Set<String> told) throws IOException {
      Map<String, byte[]> sources = new TreeMap<>();
      List<String> paths = new ArrayList<>();
      for (Path file : files(original)) {
        paths.add(file.toString().replace('\\', '/'));
        if (file.toString().endsWith(".py") || Notebook.isNotebook(file.toString())) {
          sources.put(paths.getLast(), Files.readAllBytes(original.resolve(file)));
        }
      }
      PythonProject project = PythonProject.of(paths);
      sources.forEach(project::note);
      project.link(sources::get);
      PythonPorter porter = new PythonPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);
      sources.forEach(
          (path, bytes) -> {
            SourceFile file = new SourceFile(path, bytes).withLineFeeds();
            boolean notebook = Notebook.isNotebook(path);
            int[] logical = notebook ? new int[0] : logical(file.bytes());
            for (Edit e : porter.port(file, project).edits().sorted()) {
              int line = line(file, e);
              if (line > 0) {
                told.add(at(Path.of(path), notebook ? line : logical[line], e.rule()));
              }
            }
          });
    }

    /** The line that an edit is about; 0 if it has none of its own. */
    private static int line(SourceFile file, Edit edit) {
      String text = Notebook.isNotebook(file.path()) ? ofCell(text(edit)) : text(edit);
      if (text.isBlank() && edit.start() == edit.end()) {
        return 0; // the indentation of a line behind a gate
      }
      if (edit.start() < edit.end() || !text.endsWith("\n")) {
        return file.line(edit.start());
      }
      List<String> rest = text.lines().filter(l -> !GATE.matcher(l).matches()).toList();
      for (String added : rest) {
        // what is set before torch is imported is set again after the import: the line with that
        // name
        Matcher name = QUOTED.matcher(added);
        assertThat(name.find()).as(added).isTrue();
        String before =
            new String(file.bytes(), 0, edit.start(), StandardCharsets.ISO_8859_1)
                .replace("\\\"", " \""); // of a notebook
        int at = before.lastIndexOf("\"" + name.group(1) + "\"");
        if (at < 0) {
          at = before.lastIndexOf("\"" + name.group(1) + " \"");
        }
        assertThat(at).as(added).isNotNegative();
        return file.line(at);
      }
      return 0;
    }

    /** The code in a part of a notebook's strings. */
    private static String ofCell(String json) {
      return json.replaceAll("\",\\s*\"", "").replace("\\n", "\n").replace("\\\"", "\"");
    }

    private static String text(Edit edit) {
      StringBuilder text = new StringBuilder();
      for (Piece piece : edit.pieces()) {
        text.append(piece instanceof Piece.Text t ? t.text() : "\uFFFC");
      }
      return text.toString();
    }
  }
}
