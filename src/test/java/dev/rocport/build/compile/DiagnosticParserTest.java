package dev.rocport.build.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.build.compile.Diagnostic.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosticParserTest {
  @Test
  void attachesNotesAndIncludes() {
    String text =
        """
        In file included from a.cu:2:
        In file included from inc/b.h:7:
        inc/c.h:10:5: error: no member named 'x' in 'S'
        a.cu:9:3: note: in instantiation of function template specialization 'f<int>' requested here
        a.cu:12:1: warning: unused variable 'y'
        """;

    List<Diagnostic> all = DiagnosticParser.parse(text, "gfx90a");

    assertThat(all).hasSize(2);
    Diagnostic error = all.getFirst();
    assertThat(error.path()).isEqualTo("inc/c.h");
    assertThat(error.line()).isEqualTo(10);
    assertThat(error.column()).isEqualTo(5);
    assertThat(error.related())
        .extracting(d -> d.path() + ":" + d.line())
        .contains("a.cu:9", "a.cu:2");
    assertThat(all.get(1).level()).isEqualTo(Level.WARNING);
  }

  @Test
  void readsTheLinkersErrors() {
    String text =
        """
        lld: error: undefined hidden symbol: ext(int)
        >>> referenced by k.o:(k(int*))
        clang++-19: error: amdgcn-link command failed with exit code 1 (use -v to see invocation)
        """;

    List<Diagnostic> all = DiagnosticParser.parse(text, "");

    assertThat(all)
        .singleElement()
        .extracting(Diagnostic::message)
        .isEqualTo("undefined hidden symbol: ext(int)");
    assertThat(all.getFirst().related()).hasSize(1);
  }

  @Test
  void givesNoPlaceToWhatIsInNoFile() {
    List<Diagnostic> all =
        DiagnosticParser.parse("<unknown>:0:0: error: in function k: unsupported call", "");

    assertThat(all.getFirst().path()).isEmpty();
    assertThat(all.getFirst().line()).isZero();
  }

  @Test
  void saysOnceWhatHoldsForSeveralTargets() {
    String text = "a.cu:1:2: error: no\n";

    List<Diagnostic> both =
        DiagnosticParser.merge(
            DiagnosticParser.parse(text, "gfx90a"), DiagnosticParser.parse(text, "gfx942"));

    assertThat(both).singleElement();
    assertThat(both.getFirst().sides()).containsExactly("gfx90a", "gfx942");
  }
}
