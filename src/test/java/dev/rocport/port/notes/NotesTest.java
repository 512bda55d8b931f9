package dev.rocport.port.notes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Comments about the line that holds {@code HERE}, which the port replaces by {@code there}. What a
 * test expects of the line above which the comment goes is {@code PLACE}, or nothing is added.
 */
class NotesTest {
  private static final Notes.Choice FINDINGS = new Notes.Choice(true, false);

  private static Finding at(SourceFile file, int line, String message) {
    return new Finding(
        "W64-LOCK",
        Severity.ERROR,
        Disposition.UNPORTED,
        file.path(),
        line,
        1,
        line,
        2,
        message,
        "",
        "",
        "0");
  }

  private static String noted(String path, String language, String text, Notes.Choice choice) {
    SourceFile file = SourceFile.of(path, text);
    int line = file.line(text.indexOf("HERE"));
    byte[] output = text.replace("HERE", "there").getBytes(StandardCharsets.UTF_8);
    List<Finding> findings = List.of(at(file, line, "lanes wait for lanes"));
    Notes.Noted noted = Notes.add(file, output, language, findings, choice);
    byte[] content = noted.content();
    assertThat(Notes.without(content)).as("taken out again").isEqualTo(output);
    byte[] again = Notes.add(file, content, language, findings, choice).content();
    assertThat(again).as("added again").isEqualTo(content);
    return new String(content, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a.cu           | cuda   | int a;\\n  HERE b; // PLACE\\n
          a.cu           | cuda   | HERE // PLACE
          a.cu           | cuda   | #define M \\\\\\n  HERE \\\\\\n  end\\n
          a.cu           | cuda   | int a;\\n#define M /* PLACE */ \\\\\\n  HERE\\n
          a.cu           | cuda   | s = /* PLACE */ R"(\\n HERE\\n)";\\n
          a.cu           | cuda   | s = "PLACE \\\\\\nHERE";\\n
          a.cu           | cuda   | /* PLACE\\n HERE\\n*/\\n
          a.cu           | cuda   | // PLACE \\\\\\nHERE\\n
          a.cu           | cuda   | f(1, // first\\n  HERE, // PLACE\\n  2);\\n
          a.py           | python | def f():\\n    HERE()  # PLACE\\n
          a.py           | python | x = \\"\\"\\"PLACE\\n HERE\\n\\"\\"\\"\\n
          a.py           | python | x = f'''PLACE {1 +\\n HERE}\\n'''\\n
          a.py           | python | x = PLACE + \\\\\\n    HERE\\n
          a.py           | python | f(1,\\n  HERE, # PLACE\\n  2)\\n
          CMakeLists.txt | build  | set(x "PLACE\\n HERE")\\n
          CMakeLists.txt | build  | set(x\\n  HERE) # PLACE\\n
          CMakeLists.txt | build  | set(x [[PLACE\\n HERE]])\\n
          Makefile       | build  | a: b\\n\\tHERE # PLACE\\n\\tc\\n
          Makefile       | build  | X = PLACE \\\\\\n  HERE\\n
          Makefile       | build  | define X # PLACE\\nHERE\\nendef\\n
          """)
  void commentsGoWhereTheyChangeNothing(String path, String language, String escaped) {
    String text = escaped.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t");
    text = text.replace("\\\"", "\"").replace("\0", "\\");
    String noted = noted(path, language, text, FINDINGS);
    List<String> lines = noted.lines().toList();
    int note = indexOf(lines, "rocport W64-LOCK");
    assertThat(note).as(noted).isNotNegative();
    if (text.contains("PLACE")) {
      assertThat(lines.get(note + 1)).contains("PLACE");
    } else {
      assertThat(note).isZero();
    }
    String indent = lines.get(note + 1).replaceFirst("\\S.*", "");
    assertThat(lines.get(note)).startsWith(path.equals("Makefile") ? "# " : indent);
  }

  private static int indexOf(List<String> lines, String part) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains(part)) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void theCommentTellsHowFarTheCodeIs() {
    assertThat(noted("a.cu", "cuda", "#define M \\\n  a \\\n  HERE\n", FINDINGS))
        .startsWith("// rocport W64-LOCK (2 lines below): lanes wait for lanes [");
    assertThat(noted("a.c", "c", "HERE\n", FINDINGS))
        .matches("(?s)/\\* rocport W64-LOCK: lanes wait for lanes \\[[0-9a-f]{4}] \\*/\nthere\n");
  }

  @Test
  void lineEndsStay() {
    assertThat(noted("a.cu", "cuda", "int a;\r\nHERE;\r\n", FINDINGS).replace("\r\n", ""))
        .doesNotContain("\n")
        .contains("rocport W64-LOCK");
    assertThat(noted("a.cu", "cuda", "int a;\r\nHERE;", FINDINGS)).endsWith("]\r\nthere;");
  }

  @ParameterizedTest
  @CsvSource({
    "a.cu, cuda, \"open HERE", "a.py, python, f(HERE", "configure.ac, build, HERE",
    "x.cmake, build, set(x HERE) #[[ ]]", "x.ipynb, python, HERE", "a.py, python, #! HERE"
  })
  void aFileThatIsNotUnderstoodStays(String path, String language, String text) {
    assertThat(noted(path, language, text, FINDINGS)).isEqualTo(text.replace("HERE", "there"));
    SourceFile file = SourceFile.of(path, text);
    byte[] same = file.bytes();
    Notes.Noted noted = Notes.add(file, same, language, List.of(at(file, 1, "x")), FINDINGS);
    assertThat(noted.left()).isOne();
    assertThat(noted.content()).isSameAs(same);
  }

  /** The last byte of the character U+5185 in UTF-8 is 0x85, a line end in some encodings. */
  @ParameterizedTest
  @ValueSource(strings = {"HERE; // 分配内存\n", "HERE; // вход\n"})
  void anyCharacterMayStandInTheOriginal(String text) {
    assertThat(noted("a.cu", "cuda", text, new Notes.Choice(true, true)))
        .contains("// rocport W64-LOCK: lanes wait for lanes [")
        .contains("// rocport original: " + text.strip() + " [");
  }

  @Test
  void aCommentOfAPersonStays() {
    String own = "// rocport W64-LOCK: lanes wait for lanes\n// rocport W64-LOCK: we know [0000]\n";
    byte[] text = own.getBytes(StandardCharsets.UTF_8);
    assertThat(Notes.without(text)).isSameAs(text);
  }

  @Test
  void theTextOfAMessageCannotEndTheCommentOrMeanSomething() {
    SourceFile file = SourceFile.of("a.c", "int \u00e9;\n");
    String message = "a */ b\nrocport: ignore X-Y coding: latin-1 \u202e \\";
    Notes.Noted noted = Notes.add(file, file.bytes(), "c", List.of(at(file, 1, message)), FINDINGS);
    String text = new String(noted.content(), StandardCharsets.UTF_8);
    assertThat(text)
        .startsWith("/* rocport W64-LOCK: a * / b rocport ignore X-Y coding : latin-1 \\ [");
    assertThat(Notes.without(noted.content())).isEqualTo(file.bytes());
  }

  @Test
  void originalsOfChangedLinesAreKept() {
    Notes.Choice originals = new Notes.Choice(false, true);
    assertThat(noted("a.cu", "cuda", "int a;\n  f(HERE); // x\nint b;\n", originals))
        .matches("(?s)int a;\n  // rocport original: f\\(HERE\\); // x \\[....]\n  f\\(there.*");
    assertThat(noted("a.py", "python", "if a:\n    f(HERE)\n", originals))
        .matches("(?s)if a:\n    # rocport original: f\\(HERE\\) \\[....]\n    f\\(there\\)\n");
    assertThat(noted("Makefile", "build", "A = HERE\n", originals)).isEqualTo("A = there\n");
  }
}
