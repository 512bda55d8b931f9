package dev.rocport.lsp;

import dev.rocport.explain.Explanation;
import dev.rocport.explain.ExplanationText;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.MarkupContent;
import org.eclipse.lsp4j.MarkupKind;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;

/** What is known about the word under the cursor. */
final class Hovers {
  /** From the longest to the shortest: a flag, a header, a PTX instruction, a name. */
  private static final List<Pattern> WORDS =
      List.of(
          Pattern.compile("(?<![\\w-])--?[A-Za-z][\\w-]*"),
          Pattern.compile("(?<=[<\"])[\\w./-]+\\.(?:h|hpp|cuh)(?=[>\"])"),
          Pattern.compile("%?[A-Za-z_][\\w]*(?:\\.[\\w:]+)+"),
          Pattern.compile("[%$]?[A-Za-z_][\\w]*(?:::[A-Za-z_]\\w*)*"),
          Pattern.compile("[A-Za-z_]\\w*"));

  /** Lines of minified text are longer, and no name is far from the cursor. */
  private static final int REACH = 300;

  private Hovers() {}

  /** Reads what the first hover would have to wait for. */
  static void prepare(RuleCatalog catalog) {
    at(catalog, new TextBuffer("cudaMalloc", 0), new Position(0, 0));
    at(catalog, new TextBuffer("ld.global.nc.f32", 0), new Position(0, 0));
  }

  static Optional<Hover> at(RuleCatalog catalog, TextBuffer buffer, Position at) {
    String whole = buffer.line(at.getLine());
    int cursor = Math.clamp(at.getCharacter(), 0, whole.length());
    int from = Math.max(0, cursor - REACH);
    String line = whole.substring(from, Math.min(whole.length(), cursor + REACH));
    for (Pattern word : WORDS) {
      Matcher m = word.matcher(line);
      while (m.find()) {
        int start = from + m.start();
        int end = from + m.end();
        if (start <= cursor && cursor <= end) {
          for (String candidate : candidates(m.group())) {
            Explanation found = Explanation.of(catalog, candidate);
            if (isAbout(found, candidate, m.group())) {
              String text = ExplanationText.of(found, catalog);
              Range range =
                  new Range(new Position(at.getLine(), start), new Position(at.getLine(), end));
              return Optional.of(new Hover(new MarkupContent(MarkupKind.MARKDOWN, text), range));
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  /** A PTX instruction with all its parts, then with fewer. */
  private static List<String> candidates(String word) {
    List<String> all = new ArrayList<>();
    String rest = word;
    all.add(rest);
    if (word.contains("/")) {
      return all;
    }
    for (int dot = rest.lastIndexOf('.'); dot > 0; dot = rest.lastIndexOf('.')) {
      rest = rest.substring(0, dot);
      all.add(rest);
    }
    return all;
  }

  /** Rules alone may mean another word, such as a parameter in a pattern. */
  private static boolean isAbout(Explanation e, String word, String whole) {
    return e.flag().isPresent()
        || (e.rule().isPresent() && e.rule().get().id().equals(word))
        || !e.names().isEmpty()
        || (!e.ptx().isEmpty() && (whole.contains(".") || whole.startsWith("%")));
  }
}
