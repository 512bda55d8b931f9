package dev.rocport.single;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cuda.CudaPorter;
import dev.rocport.cuda.Directive;
import dev.rocport.cuda.Lexer;
import dev.rocport.cuda.ProjectIndex;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any lines one under the other, balanced or not: nothing is lost, nothing is done twice. */
final class GatesPropertyTest {
  private static final SingleSource STYLE =
      new SingleSource(new CudaPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT));

  @Provide
  Arbitrary<String> source() {
    Arbitrary<String> line =
        Arbitraries.of(
            "#include <cuda_runtime.h>",
            "#include <cub/cub.cuh>",
            "#if __CUDA_ARCH__ >= 700",
            "#ifdef __CUDACC__",
            "#if CUDART_VERSION < 9000 && \\",
            "  defined(A)",
            "#elif defined(__CUDA_ARCH__)",
            "#else",
            "#endif",
            "#endif",
            "#define F(x) cudaFree(x); \\",
            "__syncwarp();",
            "v = __shfl_sync(m, v, 0);",
            "cudaMalloc(&p, n);",
            "cudaMemcpyToSymbol(c, &v, 4);",
            "f(a,",
            "  b);",
            "{",
            "}",
            "/* a",
            "b */",
            "R\"x(",
            ")x\";",
            "// c \\",
            "register int i;",
            "int x;",
            "",
            "inline __device__ void operator+=(float2& a, float2 b) { a.x += b.x; }",
            "cub::DeviceReduce::Sum(t, n, a, b, c);",
            "#ifdef __HIP_PLATFORM_AMD__");
    return line.list()
        .ofMaxSize(14)
        .flatMap(
            lines ->
                Arbitraries.of("\n", "\r\n")
                    .flatMap(
                        nl -> Arbitraries.of("", nl).map(end -> String.join(nl, lines) + end)));
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

  @Property(tries = 1500)
  void theOriginalComesBackOrTheFileIsLeftAlone(@ForAll("source") String text) {
    SourceFile file = SourceFile.of("d/a.cu", text);
    ProjectIndex project = ProjectIndex.of(List.of(STYLE.scan(file)));
    SingleSource.Ported first = STYLE.port(file, project);
    if (!isWellFormed(file)) {
      return; // no compiler takes it, with gates or without; that it is told apart is enough
    }
    assertThat(first.failure()).isEmpty();
    SourceFile ported = new SourceFile("d/a.cu", first.output());
    assertThat(new String(Gates.strip(ported), StandardCharsets.UTF_8)).isEqualTo(text);
    ProjectIndex again = ProjectIndex.of(List.of(STYLE.scan(ported)));
    assertThat(STYLE.compatHeader(again)).isEqualTo(STYLE.compatHeader(project));
    assertThat(new String(STYLE.port(ported, again).output(), StandardCharsets.UTF_8))
        .isEqualTo(new String(first.output(), StandardCharsets.UTF_8));
  }
}
