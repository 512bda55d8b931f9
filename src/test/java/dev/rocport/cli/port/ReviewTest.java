package dev.rocport.cli.port;

import static dev.rocport.cli.port.PortRun.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.Progress;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.port.InPlaceTarget;
import dev.rocport.port.OutputNames;
import dev.rocport.port.Porter;
import dev.rocport.port.ShimHeaders;
import dev.rocport.port.Target;
import dev.rocport.port.decide.Decision;
import dev.rocport.port.decide.Decisions;
import dev.rocport.port.decide.Item;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jline.reader.LineReaderBuilder;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.jline.utils.InfoCmp;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interactive ports on a terminal whose person types a script, and ports that follow. */
final class ReviewTest {
  private static final String CODE =
      """
      #include <cuda_runtime.h>
      void f(float* p, float* q) {
        cudaMalloc(&p, 4);
        cudaMalloc(&q, 8);
        cudaFree(p);
        cudaDeviceSynchronize();
      }
      """;

  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();

  @TempDir private Path dir;
  private Path in;
  private Path out;
  private String screen = "";

  /** JLine's own description of the terminal; otherwise JLine starts infocmp. */
  @BeforeAll
  static void terminalType() {
    InfoCmp.setLoadedInfoCmp("ansi", InfoCmp.getDefaultInfoCmp("ansi"));
  }

  @BeforeEach
  void tree() throws IOException {
    in = dir.resolve("in");
    out = dir.resolve("out");
    write(in.resolve("a.cu"), CODE);
  }

  /** Answers with these lines; returns whether all changes were decided. */
  private boolean answer(Review.Editor editor, String... lines) throws Exception {
    Decisions decisions = Decisions.read(in);
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    byte[] typed = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    try (Terminal terminal =
        new DumbTerminal(
            "script", "ansi", new ByteArrayInputStream(typed), shown, StandardCharsets.UTF_8)) {
      Review review =
          new Review(
              LineReaderBuilder.builder().terminal(terminal).build(),
              Paper.PLAIN,
              CATALOG,
              decisions,
              in,
              editor,
              "ann",
              LocalDate.of(2026, 1, 2));
      return review.ask(Review.groups(open(decisions)));
    } finally {
      screen = shown.toString(StandardCharsets.UTF_8);
    }
  }

  private boolean answer(String... lines) throws Exception {
    return answer((path, text) -> Optional.empty(), lines);
  }

  private List<Item> open(Decisions decisions) throws IOException {
    return open(decisions, Target.NONE);
  }

  private List<Item> open(Decisions decisions, Target originals) throws IOException {
    Console console =
        new Console(
            new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false);
    try (Progress quiet = Progress.of(console, true)) {
      return InteractivePort.open(
          new Porter(CATALOG, PortOptions.DEFAULT, 1),
          SourceTree.walk(TreeSelection.of(List.of(in))),
          originals,
          decisions,
          quiet);
    }
  }

  private String ported() throws IOException {
    PortRun.of("port", in, "--out", out, "--quiet");
    return Files.readString(out.resolve("a.cu"));
  }

  @Test
  void aGroupIsSkippedForAReasonThatTheReportShows() throws Exception {
    // The include, then two allocations, cudaFree and cudaDeviceSynchronize.
    assertThat(answer("a", "s", "", "our own pool", "a", "a")).isTrue();
    assertThat(screen)
        .contains("change 2 of 4: 2 places, API-RUNTIME")
        .contains("cudaMalloc -> hipMalloc")
        .contains("    - " + "  cudaMalloc(&p, 4);")
        .contains("A decision needs a reason");
    assertThat(ported()).contains("cudaMalloc(&p, 4)").contains("hipFree(p)");
    String reason = "decided: skipped by ann on 2026-01-02 because our own pool";
    PortRun.of("port", in, "--out", out, "--quiet", "--report", dir.resolve("report"));
    assertThat(dir.resolve("report/report.txt")).content().contains(reason);
    assertThat(dir.resolve("report/report.html")).content().contains(reason);
    assertThat(PortRun.of("audit", in, "--format", "json").out()).contains(reason);
    assertThat(open(Decisions.read(in))).isEmpty();
    assertThat(answer()).as("nothing is left to ask").isTrue();
  }

  @Test
  void aDecisionSurvivesMovedLinesAndEndsWithAChangedLine() throws Exception {
    answer("a", "o", "s", "the pool", "a", "a", "a");
    assertThat(ported()).contains("cudaMalloc(&p, 4)").contains("hipMalloc(&q, 8)");
    write(in.resolve("a.cu"), "// moved\n\n" + CODE);
    assertThat(ported()).contains("cudaMalloc(&p, 4)").contains("hipMalloc(&q, 8)");
    write(in.resolve("a.cu"), CODE.replace("&p, 4", "&p, 5"));
    assertThat(ported()).contains("hipMalloc(&p, 5)");
  }

  @Test
  void aDecisionDoesNotMoveToAnEqualLine() throws Exception {
    String g = "void g(int* p) {\n  cudaFree(p);\n}\n";
    String f = g.replace("g(", "f(");
    write(in.resolve("a.cu"), f + g);
    answer("a", "o", "a", "s", "the pool"); // the include, then one by one
    assertThat(ported()).contains(f.replace("cuda", "hip") + g);
    String h = g.replace("g(", "h(");
    write(in.resolve("a.cu"), h + g);
    assertThat(ported()).contains(h.replace("cuda", "hip") + g);
    write(in.resolve("a.cu"), h + f + g);
    PortRun run = PortRun.of("port", in, "--out", out);
    assertThat(run.out() + run.err()).contains("so it was not applied: decide again");
    assertThat(out.resolve("a.cu")).content().doesNotContain("cudaFree");
    assertThat(open(Decisions.read(in))).hasSize(3);
  }

  @Test
  void aDecisionAboutLinesThatNothingTellsApartEndsWithTheFile() throws Exception {
    String g = "void g(int* p) {\n  cudaFree(p);\n}\n";
    write(in.resolve("a.cu"), g.repeat(4));
    answer("a", "o", "a", "a", "s", "the pool", "a");
    String hip = g.replace("cuda", "hip");
    assertThat(ported()).contains(hip + hip + g + hip);
    write(in.resolve("a.cu"), "\n" + g.repeat(4));
    assertThat(ported()).contains(hip.repeat(4));
  }

  @Test
  void decisionsOfOthersStay() throws Exception {
    Decisions mine = Decisions.read(in);
    List<Item> items = open(mine);
    assertThat(answer("a", "s", "the pool", "q")).isFalse();
    int others = Decisions.read(in).all().size();
    Item last = items.getLast();
    mine.keep(
        in,
        List.of(
            new Decision(
                last.id(), Decision.Action.SKIP, false, "", "", "a.cu", 1, "", "no", "bob", "d")));
    assertThat(Decisions.read(in).all()).hasSize(others + 1);
    assertThat(mine.all()).hasSize(others + 1);
  }

  @Test
  void aTreePortedInPlaceIsAskedAboutItsOriginals() throws Exception {
    int all = open(Decisions.none()).size();
    PortRun.of("port", in, "--in-place", "--quiet");
    assertThat(open(Decisions.none())).isEmpty();
    try (InPlaceTarget standing =
        InPlaceTarget.open(
            new TreeWriter(in.toRealPath()), ShimHeaders.ofHome(), OutputNames.of(Map.of()))) {
      assertThat(open(Decisions.none(), standing)).hasSize(all);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--interactive", "--check", "--force"})
  void aFilterHasNoTree(String option) {
    PortRun run = PortRun.of("port", "-", "--as", "k.cu", option);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("PATH - requires --as NAME, and no");
  }

  @Test
  void skipAlwaysIsForFurtherFilesToo() throws Exception {
    answer("a", "S", "the pool", "a", "a");
    write(
        in.resolve("b.cu"), "#include <cuda_runtime.h>\n\nvoid g(int* r) { cudaMalloc(&r, 1); }\n");
    PortRun.of("port", in, "--out", out, "--quiet");
    assertThat(out.resolve("b.cu")).content().contains("cudaMalloc(&r, 1)");
  }

  @Test
  void linesAreWrittenByHand() throws Exception {
    Review.Editor editor = (path, text) -> Optional.of(text.replace("hipFree", "poolFree"));
    assertThat(answer(editor, "a", "e", "a", "e", "our pool frees", "a")).isTrue();
    assertThat(screen).contains("use o first");
    assertThat(ported()).contains("  poolFree(p);\n");
  }

  @Test
  void whoQuitsKeepsTheDecisions() throws Exception {
    assertThat(answer("a", "x", "?", "q")).isFalse();
    assertThat(screen)
        .contains("The CUDA runtime becomes the HIP runtime")
        .contains("q  quit; decisions are kept");
    assertThat(open(Decisions.read(in))).hasSize(4);
    assertThat(answer("S")).as("the input ends").isFalse();
    assertThat(open(Decisions.read(in))).hasSize(4);
  }

  @Test
  void brokenCodeIsNotWritten() throws Exception {
    write(
        in.resolve("a.cu"),
        "__global__ void k();\nvoid f() {\n  k<<<1,\n     1>>>();\n  cudaFree(0);\n}\n");
    Decisions decisions = Decisions.read(in);
    for (Item item : open(decisions)) {
      if (item.after().contains("hipFree")) {
        decisions.add(
            new Decision(
                item.id(),
                Decision.Action.EDIT,
                false,
                "",
                "",
                "a.cu",
                1,
                "  hipFree((0);\n",
                "a slip",
                "ann",
                "today"));
      }
    }
    decisions.write(in);
    PortRun run = PortRun.of("port", in, "--out", out);
    assertThat(run.out() + run.err()).contains("leave brackets or conditions of this file open");
    PortRun again = PortRun.of("port", in, "--out", out);
    assertThat(again.out() + again.err()).contains("leave brackets or conditions of this file");
    assertThat(out.resolve("a.cu")).content().contains("hipFree(0)");
  }

  @Test
  void withoutATerminalItIsAnError() {
    PortRun run = PortRun.of("port", in, "--out", out, "--interactive");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--interactive needs a terminal");
    assertThat(out).doesNotExist();
    assertThat(PortRun.of("port", in, "--diff", "--interactive").code()).isEqualTo(2);
    assertThat(
            PortRun.of("port", in, "--out", out, "--interactive", "--style", "single-source").err())
        .contains("--interactive requires --style hip");
  }

  @Test
  void undoKeepsTheDecisions() throws Exception {
    answer("a", "s", "the pool", "a", "a");
    PortRun.of("port", in, "--in-place", "--quiet");
    assertThat(in.resolve("a.cu")).content().contains("cudaMalloc(&p, 4)").contains("hipFree");
    PortRun.of("port", in, "--undo");
    assertThat(in.resolve("a.cu")).content().isEqualTo(CODE);
    assertThat(in.resolve(Decisions.NAME)).exists();
  }
}
