package dev.rocport.buildsystem.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CallParserTest {
  private static List<Statement> parse(Dialect dialect, String text) {
    return CallParser.parse(dialect, text).orElseThrow();
  }

  @Test
  void statementsEndWithTheirLineUnlessABracketIsOpen() {
    List<Statement> all =
        parse(
            Dialect.MESON,
            "a = ['x', # not 'this'\n  'y']\nif a.contains('x') \\\n  and b\nendif\n");
    assertThat(all).hasSize(3);
    assertThat(all.getFirst().assigned()).isEqualTo("a");
    assertThat(((Group) all.getFirst().value().getFirst()).items()).hasSize(2);
  }

  @Test
  void keywordsArePartedFromValues() {
    Call c = parse(Dialect.MESON, "f('a', b, k: x ? 1 : 2)").getFirst().call().orElseThrow();
    assertThat(c.arguments().positional()).hasSize(2);
    assertThat(c.arguments().keyword("k").orElseThrow().parts()).hasSize(5);
    Call s = parse(Dialect.STARLARK, "f(a == b, k = [1])").getFirst().call().orElseThrow();
    assertThat(s.arguments().positional()).hasSize(1);
    assertThat(s.arguments().keyword("k")).isPresent();
  }

  @Test
  void stringsHoldWhatTheirLanguageSays() {
    Token meson = (Token) parse(Dialect.MESON, "x = '''it's # one'''").getFirst().parts().get(2);
    assertThat(meson.value()).isEqualTo("it's # one");
    Token starlark =
        (Token) parse(Dialect.STARLARK, "x = r\"\"\"a\"b\n\"\"\"").getFirst().parts().get(2);
    assertThat(starlark.value()).isEqualTo("a\"b\n");
    Token escaped = (Token) parse(Dialect.MESON, "x = 'a\\'b'").getFirst().parts().get(2);
    assertThat(escaped.value()).isEqualTo("a'b");
  }

  @Test
  void callsOfMethodsBeginWithTheirObject() {
    String text = "v = meson.get_compiler('cuda').version()";
    List<Call> calls = Call.in(parse(Dialect.MESON, text).getFirst().parts());
    assertThat(calls).extracting(c -> c.name().text()).containsExactly("get_compiler", "version");
    assertThat(calls)
        .extracting(c -> text.substring(c.start(), c.end()))
        .containsExactly("meson.get_compiler('cuda')", "meson.get_compiler('cuda').version()");
  }

  @Test
  void whatIsNotClosedIsUnreadable() {
    assertThat(CallParser.parse(Dialect.MESON, "f('a'")).isEmpty();
    assertThat(CallParser.parse(Dialect.MESON, "f('a)")).isEmpty();
    assertThat(CallParser.parse(Dialect.STARLARK, "a = ]")).isEmpty();
  }
}
