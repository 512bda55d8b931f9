package dev.rocport.packaging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import org.tomlj.TomlValue;

/** Compares with tomlj: paths, values and offsets. */
final class TomlEntriesTest {
  private record Found(String path, String value, int quote) {
    Found withoutCr() {
      return new Found(path, value.replace("\r\n", "\n"), quote);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Kinds of strings.
        "a = \"x\"\nb = 'C:\\new'\nc = \"\"\nd = ''\n",
        "a = \"\"\"x\"\"\"\nb = '''y'''\nc = \"\"\"\"\"\"\nd = ''''''\n",
        "a = \"\"\"\nfirst\nsecond\n\"\"\"\nb = '''\nfirst\n'''\nc = \"x\"\n",
        "a = \"\"\"one \\\n   two \\  \n\n   three\"\"\"\nb = \"x\"\n",
        "a = \"\"\"\"in quotes\"\"\"\"\nb = '''''in quotes'''''\nc = \"x\"\n",
        "a = \"\"\"x \"\" y\"\"\"\nb = '''x '' y'''\nc = \"\"\"\\\"\"\"\"\nd = 'x'\n",
        // Escapes.
        "a = \"\\b\\t\\n\\f\\r\\\"\\\\\"\nb = '\\b\\\\'\nc = \"ends in \\\\\"\nd = \"\\\\\\\"x\"\n",
        "a = \"\\u03b4 \\U0001f600 \\u0041\"\nb = \"\"\"\\u00e9\"\"\"\nc = '\\u03b4'\n",
        "a = \"torch; sys_platform == \\\"linux\\\"\"\n",
        // Keys.
        "a.b.c = \"x\"\na . d = \"y\"\n\"e.f\" = \"z\"\n'g h'.i = \"w\"\n1.2 = \"v\"\n",
        "\"q\\\"r\" = \"x\"\n'q\"s' = \"y\"\n\"\\u0074\" = \"z\"\n-_- = \"w\"\n",
        "[a.b]\nc = \"x\"\n[ d . \"e\" ]\nf = \"y\"\n[g] # [h]\ni = \"z\"\n",
        // Arrays and inline tables.
        "a = [\"x\", 'y', \"\"\"z\"\"\",]\nb = []\nc = [[\"x\"], [\"y\", \"z\"]]\nd = [ [ ] ]\n",
        "a = [\n  # [c]\n  \"x\", # \"no\"\n  \"y\"\n  ,\n]\nb = \"z\"\n",
        "a = [\n1, 2.5,\n\"x\",\ntrue,\n[\"y\"],\n1979-05-27T07:32:00Z]\nb = \"z\"\n",
        "a = {b = \"x\", c.d = \"y\", e = [\"z\"], f = {}}\ng = [{h = \"x\"}, {h = \"y\"}]\n",
        // Arrays of tables.
        "[[a]]\nb = \"x\"\n[[a]]\nb = \"y\"\n[c]\nd = \"z\"\n",
        "[[package]]\nname = \"x\"\n[package.source]\nurl = \"y\"\n[[package]]\nname = \"z\"\n",
        "[[a.b]]\nc = \"x\"\n[[a.b.d]]\ne = \"y\"\n[a.b.d.f]\ng = \"z\"\n[a.h]\ni = \"w\"\n",
        // Comments and other values.
        "# a = \"x\"\nb = \"# y\" # \"z\"\nc = 1 # \"z\"\nd = inf\ne = 07:32:00\nf = \"w\"\n",
        "\n\n  \t\na\t=\t\"x\"\t\n\tb='y'#z\n",
        // Not ASCII.
        "a = \"é\"\nb = {c = \"\uD83D\uDE00\", d = \"x\"}\n# é\n\"é\" = \"y\"\n",
        "a = \"no line end\"",
        ""
      })
  void readsWhatTomljReads(String text) {
    assertThat(ours(text)).isEqualTo(theirs(text));
    String crlf = text.replace("\n", "\r\n");
    // A reader may keep or normalize line ends in a string.
    assertThat(ours(crlf).stream().map(Found::withoutCr).toList())
        .isEqualTo(theirs(crlf).stream().map(Found::withoutCr).toList());
  }

  @Test
  void offsetsAreOfTheTextBetweenTheQuotes() {
    String text = "\ufeffa = \"é\"\nb = '''x'''\nc = \"\"\"\"y\"\"\"\"\n";
    String bytes = new String(text.getBytes(UTF_8), ISO_8859_1);
    assertThat(TomlEntries.of(bytes).stream().map(e -> bytes.substring(e.start(), e.end())))
        .containsExactly("\u00c3\u00a9", "x", "\"y\"");
  }

  @Test
  void readsPastErrors() {
    assertThat(paths("a = \"open\nb = \"x\"\n")).containsExactly("a", "b");
    assertThat(paths("a = \"open")).containsExactly("a");
    assertThat(paths("\"open = x\nb = \"y\"\n")).containsExactly("b");
    assertThat(paths("<<<<<<< HEAD\na = \"x\"\n=======\na = \"y\"\n>>>>>>> b\n"))
        .containsExactly("a", "a");
    assertThat(paths("[a\nb = \"x\"\n")).containsExactly("a.b");
    assertThat(TomlEntries.of("a = \"\\q\\u12\\\"\"").getFirst().value()).isEqualTo("\\q\\u12\"");
  }

  @Test
  void anOpenArrayEndsAtTheNextPairOrTable() {
    assertThat(paths("a = [\"x\",\n  \"y\"\nb = \"z\"\n[c]\nd = \"w\"\n"))
        .containsExactly("a[]", "a[]", "b", "c.d");
    assertThat(paths("a = [\n  \"x\",\n[[c.e]]\nd = \"w\"\n")).containsExactly("a[]", "c.e[].d");
    assertThat(paths("a = [\"x\",\n[\"y\"],\n[true, \"z\"],\n[1]]\nb = \"w\"\n"))
        .containsExactly("a[]", "a[][]", "a[][]", "b");
  }

  private static List<String> paths(String text) {
    return TomlEntries.of(text).stream().map(Entry::path).toList();
  }

  private static List<Found> ours(String text) {
    String bytes = new String(text.getBytes(UTF_8), ISO_8859_1);
    return TomlEntries.of(bytes).stream()
        .map(
            e -> {
              String open = bytes.substring(0, e.start());
              char quote = open.charAt(open.length() - 1);
              int quotes = open.endsWith(String.valueOf(quote).repeat(3)) ? 3 : 1;
              return new Found(utf8(e.path()), utf8(e.value()), e.start() - quotes);
            })
        .toList();
  }

  private static String utf8(String bytes) {
    return new String(bytes.getBytes(ISO_8859_1), UTF_8);
  }

  private static List<Found> theirs(String text) {
    TomlParseResult parsed = Toml.parse(text);
    assertThat(parsed.errors()).isEmpty();
    String[] lines = text.split("(?<=\n)", -1);
    List<Found> found = new ArrayList<>();
    table(
        parsed,
        "",
        (path, value) -> found.add(new Found(path, value.getString(), offset(lines, value))));
    found.sort(Comparator.comparingInt(Found::quote));
    return found;
  }

  /** In bytes; columns of tomlj are code points. */
  private static int offset(String[] lines, TomlValue value) {
    TomlPosition position = value.position();
    int offset = 0;
    for (int i = 0; i < position.line() - 1; i++) {
      offset += lines[i].getBytes(UTF_8).length;
    }
    String line = lines[position.line() - 1];
    int column = line.offsetByCodePoints(0, position.column() - 1);
    return offset + line.substring(0, column).getBytes(UTF_8).length;
  }

  private static void table(TomlTable table, String under, BiConsumer<String, TomlValue> strings) {
    for (String key : table.keySet()) {
      value(table.entry(List.of(key)).value(), under + key, strings);
    }
  }

  private static void value(TomlValue value, String path, BiConsumer<String, TomlValue> strings) {
    if (value.isString()) {
      strings.accept(path, value);
    } else if (value.isTable()) {
      table(value.getTable(), path + ".", strings);
    } else if (value.isArray()) {
      TomlArray array = value.getArray();
      for (int i = 0; i < array.size(); i++) {
        value(array.entry(i).value(), path + "[]", strings);
      }
    }
  }
}
