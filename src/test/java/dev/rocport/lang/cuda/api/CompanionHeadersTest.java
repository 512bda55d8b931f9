package dev.rocport.lang.cuda.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CompanionHeadersTest {
  private static List<String> names(String text) {
    return CompanionHeaders.namesIn(Lexer.lex(SourceFile.of("a.cu", text)));
  }

  @Test
  void namesComeFromHeadersOfOtherFiles() {
    assertThat(names("void f(int* p) { thrust::sort(p, p); thrust::gather(p, p, p, p); }\n"))
        .containsExactly("thrust::gather", "thrust::sort");
  }

  @Test
  void namesForWhichAFileHasAHeaderAreNotAskedOfOthers() {
    String text = "void f(int* p) { thrust::sort(p, p); double d = DBL_MAX; }\n";

    assertThat(names("#include <thrust/copy.h>\n" + text)).containsExactly("DBL_MAX");
    assertThat(names("#include <cub/cub.cuh>\n" + text)).containsExactly("thrust::sort");
  }
}
