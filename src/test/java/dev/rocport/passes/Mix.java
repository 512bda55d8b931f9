package dev.rocport.passes;

import dev.rocport.Choices;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A generated source file: snippets that passes edit, other blanks and comments between their
 * tokens, conditionals around them, and lines that stay.
 *
 * @param kept the lines that stay
 * @param comments comments between the tokens of snippets
 * @param rules those that the snippets belong to
 */
record Mix(String path, String text, List<String> kept, List<Comment> comments, Set<String> rules) {
  /** A comment and the token after it. */
  record Comment(String text, String token) {}

  static Mix of(Language language, List<Snippet> snippets, Choices choices) {
    return new Maker(language, choices).make(snippets);
  }

  SourceFile file() {
    return SourceFile.of(path, text);
  }

  private static final class Maker {
    private static final List<String> OPENINGS =
        List.of("#if defined(FEATURE_%d)", "#ifdef FEATURE_%d", "#ifndef FEATURE_%d");

    private final Language language;
    private final Choices choices;
    private final StringBuilder text = new StringBuilder();
    private final List<String> kept = new ArrayList<>();
    private final List<Comment> comments = new ArrayList<>();
    private final Set<String> rules = new TreeSet<>();
    private int number;

    Maker(Language language, Choices choices) {
      this.language = language;
      this.choices = choices;
    }

    Mix make(List<Snippet> snippets) {
      String path = "";
      do {
        Snippet s = snippets.get(choices.below(snippets.size()));
        path = path.isEmpty() ? s.file() : path;
        rules.add(s.rule());
        keep();
        add(s.text());
        keep();
      } while (language.isJoined() && !choices.isOver() && rules.size() < 4);
      return new Mix(path, text.toString(), kept, comments, rules);
    }

    private void line(String line) {
      text.append(line).append('\n');
    }

    private void keep() {
      for (int i = choices.below(3); i > 0; i--) {
        String line =
            language.kept().get(choices.below(language.kept().size())).formatted(++number);
        kept.add(line);
        line(line);
      }
    }

    private void add(String snippet) {
      boolean wrapped = language == Language.CUDA && choices.below(4) == 1;
      if (wrapped) {
        line(OPENINGS.get(choices.below(OPENINGS.size())).formatted(++number));
      }
      String body = language == Language.CUDA && choices.below(2) == 1 ? spaced(snippet) : snippet;
      text.append(body);
      if (!body.endsWith("\n")) {
        text.append('\n');
      }
      if (wrapped) {
        if (choices.below(2) == 1) {
          line("#else");
          keep();
        }
        line("#endif");
      }
    }

    /** Other blanks where there are some already. */
    private String spaced(String snippet) {
      Tokens t = Lexer.lex(SourceFile.of("s.cu", snippet));
      StringBuilder b = new StringBuilder();
      int at = 0;
      for (int i = 1; i < t.count(); i++) {
        int from = t.end(i - 1);
        int to = t.start(i);
        boolean blank = from < to && snippet.substring(from, to).isBlank();
        boolean line =
            blank && snippet.indexOf('\n', from) < to && snippet.indexOf('\n', from) >= 0;
        if (blank && !line && !t.inDirective(i) && !t.inDirective(i - 1)) {
          b.append(snippet, at, from).append(gap(t.text(i)));
          at = to;
        }
      }
      return b.append(snippet.substring(at)).toString();
    }

    private String gap(String next) {
      switch (choices.below(12)) {
        case 1 -> {
          return "  ";
        }
        case 2 -> {
          return "\t";
        }
        case 3 -> {
          return "\n    ";
        }
        case 4 -> {
          String comment = "/* " + ++number + " cudaFree(p) */";
          comments.add(new Comment(comment, next));
          return " " + comment + " ";
        }
        default -> {
          return " ";
        }
      }
    }
  }
}
