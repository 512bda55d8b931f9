package dev.rocport.lang.cuda.lex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.arbitraries.StringArbitrary;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
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
  void identifiersAreMentionedAndOtherTokensAreNot() {
    Tokens t = lex("cuda\\\nMalloc(p, \"dim3\"); // warpSize\n");
    assertThat(t.mentions("cudaMalloc")).isTrue();
    assertThat(t.mentions(List.of("q", "p"))).isTrue();
    assertThat(t.mentions("dim3")).isFalse();
    assertThat(t.mentions("warpSize")).isFalse();
    assertThat(t.mentions("cuda")).isFalse();
  }

  @Test
  void splicedLineCommentContinues() {
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

  /** Bytes between tokens of a sound file are blanks, comments and spliced line ends. */
  private static final Pattern GAP =
      Pattern.compile(
          "(?:[ \\t\\f\\x0b\\r\\n]|\\\\\\r?\\n|/\\*(?s:.)*?\\*/|//(?:\\\\\\r?\\n|[^\\n])*)*+");

  @Property(tries = 500, seed = "202601")
  void tokensAndGapsReproduceTheFile(@ForAll("noise") String text) {
    SourceFile file = new SourceFile("n.cu", text.getBytes(StandardCharsets.ISO_8859_1));
    Tokens t = Lexer.lex(file);
    StringBuilder again = new StringBuilder();
    int at = 0;
    for (int i = 0; i < t.count(); i++) {
      assertThat(t.start(i)).isGreaterThanOrEqualTo(at);
      assertThat(t.end(i)).isGreaterThan(t.start(i));
      String gap = text.substring(at, t.start(i));
      if (t.problems().isEmpty() && t.directives().isEmpty()) {
        assertThat(gap).matches(GAP);
      }
      String token = text.substring(t.start(i), t.end(i));
      String decoded = file.text(t.start(i), t.end(i));
      assertThat(t.text(i)).isIn(decoded, decoded.replaceAll("\\\\\r?\n", ""));
      again.append(gap).append(token);
      at = t.end(i);
    }
    assertThat(again + text.substring(at)).isEqualTo(text);
    Brackets.match(t);
  }

  @Provide
  Arbitrary<String> noise() {
    StringArbitrary bytes = Arbitraries.strings().withCharRange((char) 1, (char) 255);
    Arbitrary<String> piece = Arbitraries.of(TOKENS.toArray(String[]::new));
    Arbitrary<String> part = Arbitraries.oneOf(piece, Arbitraries.of(GAPS), bytes.ofMaxLength(3));
    return Arbitraries.oneOf(
        bytes.ofMaxLength(60), part.list().ofMaxSize(20).map(l -> String.join("", l)));
  }

  private static final List<String> TOKENS =
      List.of(
          "cudaMalloc",
          "x",
          "R",
          "u8",
          "L",
          "0x1p-3",
          "1'000",
          ".5f",
          "42ull",
          "\"a // b\"",
          "\"\\\"\"",
          "\"\"",
          "u8\"x\"",
          "R\"(a \" // )\"",
          "LR\"k(a)\" )k\"",
          "R\"(two\nlines)\"",
          "'c'",
          "'\\''",
          "L'\\n'",
          "(",
          ")",
          "{",
          "}",
          "[",
          "]",
          "<",
          ">",
          ",",
          ";",
          "*");

  private static final String[] GAPS = {
    " ", "\t", "\n", "\r\n", "/* \" */", "/**/", "// 'c\n", "// a \\\n b\n", " \\\n ", " \\\r\n\t"
  };

  /** Tokens that are written down with gaps between them are the tokens that are read. */
  @Property(tries = 500, seed = "202602")
  void tokensAreReadAsTheyWereWritten(
      @ForAll @Size(max = 25) List<@IntRange(max = 10_000) Integer> choices) {
    StringBuilder text = new StringBuilder();
    List<String> written = new ArrayList<>();
    List<Integer> starts = new ArrayList<>();
    for (int c : choices) {
      String token = TOKENS.get(c % TOKENS.size());
      starts.add(text.length());
      written.add(token);
      text.append(token).append(GAPS[c / TOKENS.size() % GAPS.length]);
      text.append(c % 3 == 0 ? GAPS[c / 7 % GAPS.length] : "");
    }
    Tokens t = lex(text.toString());
    assertThat(t.problems()).as(text.toString()).isEmpty();
    List<String> read = new ArrayList<>();
    List<Integer> at = new ArrayList<>();
    for (int i = 0; i < t.count(); i++) {
      read.add(t.text(i));
      at.add(t.start(i));
      assertThat(t.end(i) - t.start(i)).isEqualTo(t.text(i).length());
    }
    assertThat(read).as(text.toString()).isEqualTo(written);
    assertThat(at).isEqualTo(starts);
  }
}
