package dev.rocport.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class LexerTest {
  private static Tokens lex(String text) {
    return Lexer.lex(SourceFile.of("t.cu", text));
  }

  private static List<String> texts(String text) {
    Tokens t = lex(text);
    List<String> list = new ArrayList<>();
    for (int i = 0; i < t.count(); i++) {
      list.add(t.text(i));
    }
    return list;
  }

  @Test
  void commentsAreNoTokens() {
    assertThat(texts("a /* b */ c // d\ne")).containsExactly("a", "c", "e");
  }

  @Test
  void rawStringsAreOneToken() {
    assertThat(texts("x = R\"k(a \" )\" b)k\"; y"))
        .containsExactly("x", "=", "R\"k(a \" )\" b)k\"", ";", "y");
  }

  @Test
  void splicedIdentifierIsOneToken() {
    assertThat(texts("cuda\\\nMalloc(p)")).containsExactly("cudaMalloc", "(", "p", ")");
    assertThat(texts("cuda\\\r\nMalloc")).containsExactly("cudaMalloc");
  }

  @Test
  void splicedLineCommentGoesOn() {
    assertThat(texts("a // b \\\n c\nd")).containsExactly("a", "d");
  }

  @Test
  void launchChevronsAreSingleTokens() {
    assertThat(texts("k<<<1,2>>>()"))
        .containsExactly("k", "<", "<", "<", "1", ",", "2", ">", ">", ">", "(", ")");
  }

  @Test
  void numbersKeepSeparatorsAndExponents() {
    assertThat(texts("1'000 0x1p-3 1e+5f 0xe+1 .5f"))
        .containsExactly("1'000", "0x1p-3", "1e+5f", "0xe", "+", "1", ".5f");
  }

  @Test
  void errorDirectiveIsFreeText() {
    Tokens t = lex("#error don't\nint x;");
    assertThat(t.problems()).isEmpty();
    assertThat(t.directives()).extracting(Directive::name).containsExactly("error");
    assertThat(t.text(t.count() - 2)).isEqualTo("x");
  }

  @Test
  void directiveEndsWithItsLastSplicedLine() {
    Tokens t = lex("#define A(x) \\\n  f(x)\nint y;");
    Directive d = t.directives().getFirst();
    assertThat(t.file().text(d.start(), d.end())).isEqualTo("#define A(x) \\\n  f(x)");
    assertThat(t.inDirective(d.last())).isFalse();
  }

  @Test
  void includePathIsOneToken() {
    assertThat(texts("#  include <a/b.h>")).containsExactly("#", "include", "<a/b.h>");
  }

  @Test
  void unterminatedThingsAreProblemsNotFailures() {
    assertThat(lex("\"abc\nint x;").problems()).hasSize(1);
    assertThat(lex("/* abc").problems()).hasSize(1);
    assertThat(lex("R\"(abc").problems()).hasSize(1);
  }

  @Test
  void bracketsPairAcrossConditionalBranches() {
    Tokens t = lex("void f() {\n#if A\n if (x) {\n#else\n if (y) {\n#endif\n }\n}\nint z;");
    int open = t.at(9);
    assertThat(t.is(open, '{')).isTrue();
    assertThat(t.match(open)).isEqualTo(t.count() - 4);
  }

  @Property(tries = 300)
  void tokensAndGapsTellTheFileAgain(@ForAll byte[] noise) {
    String text = new String(noise, StandardCharsets.ISO_8859_1).replace('\0', ' ');
    SourceFile file = new SourceFile("n.cu", text.getBytes(StandardCharsets.ISO_8859_1));
    Tokens t = Lexer.lex(file);
    int at = 0;
    for (int i = 0; i < t.count(); i++) {
      assertThat(t.start(i)).isGreaterThanOrEqualTo(at);
      assertThat(t.end(i)).isGreaterThan(t.start(i));
      at = t.end(i);
    }
    assertThat(at).isLessThanOrEqualTo(file.length());
    Brackets.match(t);
  }
}
