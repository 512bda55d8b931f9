package dev.rocport.singlesource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/** Any lines one under the other, balanced or not: nothing is lost, nothing is done twice. */
final class GatesPropertyTest {
  private static final SingleSource STYLE =
      new SingleSource(new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT));

  private static final List<String> LINES =
      List.of(
          "#include <cuda_runtime.h>",
          "#include <cub/cub.cuh>",
          "#define F(x) cudaFree(x); \\",
          "__syncwarp();",
          "v = __shfl_sync(m, v, 0);",
          "cudaMalloc(&p, n);",
          "cudaMemcpyToSymbol(c, &v, 4);",
          "f(a,",
          "  b);",
          "{",
          "}",
          "/* a\nb */",
          "/* a",
          "b */",
          "R\"x(",
          ")x\";",
          "// c \\",
          "register int i;",
          "int x;",
          "",
          "inline __device__ void operator+=(float2& a, float2 b) { a.x += b.x; }",
          "cub::DeviceReduce::Sum(t, n, a, b, c);");

  private static final List<String> OPENINGS =
      List.of(
          "#if __CUDA_ARCH__ >= 700",
          "#ifdef __CUDACC__",
          "#if CUDART_VERSION < 9000 && \\\n  defined(A)",
          "#ifdef __HIP_PLATFORM_AMD__");

  private static final List<String> TURNS =
      List.of("#else", "#elif defined(__CUDA_ARCH__)", "#elif CUDART_VERSION < 9000");

  /** Lines and conditionals, most of them whole, some with a directive too many. */
  @Provide
  Arbitrary<String> source() {
    Arbitrary<String> line = Arbitraries.of(LINES);
    Arbitrary<String> some = line.list().ofMaxSize(3).map(GatesPropertyTest::joined);
    Arbitrary<String> plain =
        Combinators.combine(Arbitraries.of(OPENINGS), some)
            .as((open, body) -> joined(List.of(open, body, "#endif")));
    Arbitrary<String> inner = Arbitraries.oneOf(line, plain);
    Arbitrary<String> turned =
        Combinators.combine(Arbitraries.of(OPENINGS), inner, Arbitraries.of(TURNS), inner)
            .as((open, yes, turn, no) -> joined(List.of(open, yes, turn, no, "#endif")));
    Arbitrary<String> part =
        Arbitraries.frequencyOf(
            Tuple.of(20, line),
            Tuple.of(6, plain),
            Tuple.of(6, turned),
            Tuple.of(1, Arbitraries.of("#else", "#endif", "#if A")));
    return Combinators.combine(
            part.list().ofMaxSize(9), Arbitraries.of("\n", "\r\n"), Arbitraries.of(true, false))
        .as((parts, nl, ends) -> (joined(parts) + (ends ? "\n" : "")).replace("\n", nl));
  }

  private static String joined(List<String> parts) {
    return String.join("\n", parts);
  }

  private static boolean isWellFormed(SourceFile file) {
    int depth = 0;
    boolean ended = false;
    for (Directive d : Lexer.lex(file).directives()) {
      depth += d.opens() ? 1 : d.closes() ? -1 : 0;
      ended |= depth < 0 || (d.turns() && depth == 0);
    }
    String text = file.text(0, file.length()).stripTrailing();
    return depth == 0 && !ended && !text.endsWith("\\") && Lexer.lex(file).problems().isEmpty();
  }

  @Property(tries = 1500, seed = "202601")
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void theOriginalIsRestoredOrTheFileIsUnchanged(@ForAll("source") String text) {
    SourceFile file = SourceFile.of("d/a.cu", text);
    ProjectIndex project = ProjectIndex.of(List.of(STYLE.scan(file)));
    SingleSource.Ported first = STYLE.port(file, project);
    boolean wellFormed = isWellFormed(file);
    Statistics.collect(wellFormed);
    Statistics.coverage(
        c -> {
          c.check(true).percentage(p -> p > 30);
          c.check(false).percentage(p -> p > 10);
        });
    if (!first.failure().isEmpty()) {
      // The porter leaves such a file alone; no compiler takes it, with gates or without.
      assertThat(wellFormed).as(first.failure()).isFalse();
      return;
    }
    SourceFile ported = new SourceFile("d/a.cu", first.output());
    assertThat(new String(Gates.strip(ported), StandardCharsets.UTF_8)).isEqualTo(text);
    if (!wellFormed) {
      return;
    }
    ProjectIndex again = ProjectIndex.of(List.of(STYLE.scan(ported)));
    assertThat(STYLE.compatHeader(again)).isEqualTo(STYLE.compatHeader(project));
    assertThat(new String(STYLE.port(ported, again).output(), StandardCharsets.UTF_8))
        .isEqualTo(new String(first.output(), StandardCharsets.UTF_8));
  }
}
