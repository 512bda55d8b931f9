package dev.rocport.passes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.PythonPorter;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.warp.schedule.ScheduleAnalysis;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What holds for the port of every file, whichever passes have edited it. */
final class PortProperty {
  private static final Set<String> SCHEDULE = Set.copyOf(ScheduleAnalysis.rules());

  private final Language language;
  private final PortOptions options;

  PortProperty(Language language, PortOptions options) {
    this.language = language;
    this.options = options;
  }

  /** Checks the port of a file; returns the rules that have edited it. */
  Set<String> holds(Mix mix) {
    Changes changes = language.port(mix.file(), options);
    String output = text(changes);
    String seen =
        "\n--- " + mix.path() + " " + mix.rules() + "\n" + mix.text() + "\n+++\n" + output;

    assertThat(output.lines()).as("lines that stay:%s", seen).containsAll(mix.kept());
    for (Mix.Comment comment : replacesStatements(mix) ? List.<Mix.Comment>of() : mix.comments()) {
      // A comment goes only with the code that it stands before; numbers come and go elsewhere,
      // too.
      if (!Character.isDigit(comment.token().charAt(0))
          && count(output, comment.token()) >= count(mix.text(), comment.token())) {
        assertThat(output).as("comments between tokens:%s", seen).contains(comment.text());
      }
    }
    for (String pair : new String[] {"()", "[]", "{}"}) {
      assertThat(balance(output, pair))
          .as("%s are balanced as before:%s", pair, seen)
          .isEqualTo(balance(mix.text(), pair));
    }

    SourceFile ported = SourceFile.of(mix.path(), output);
    assertThat(text(language.port(ported, options))).as("ported again:%s", seen).isEqualTo(output);

    SourceFile crlf = SourceFile.of(mix.path(), crlf(mix.text()));
    assertThat(text(language.port(crlf, options))).as("with CRLF:%s", seen).isEqualTo(crlf(output));

    if (language == Language.PYTHON) {
      assertThat(PythonPorter.failure(mix.file(), ported)).as("isolation:%s", seen).isEmpty();
    }
    return changes.counts().keySet();
  }

  private static String text(Changes changes) {
    return new String(changes.edits().apply(changes.file().bytes()), StandardCharsets.UTF_8);
  }

  private static String crlf(String text) {
    return text.replace("\n", "\r\n");
  }

  /** Rules that write a statement anew: comments between its parts have no place in that. */
  private static boolean replacesStatements(Mix mix) {
    return mix.rules().stream()
        .anyMatch(
            r ->
                r.startsWith("PTX-")
                    || r.equals("ENUM-CASE")
                    || SCHEDULE.contains(r)
                    || (r.equals("W64-LANE") && mix.text().contains("asm")));
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  private static long balance(String text, String pair) {
    return text.chars().filter(c -> c == pair.charAt(0)).count()
        - text.chars().filter(c -> c == pair.charAt(1)).count();
  }
}
