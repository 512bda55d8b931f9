package dev.rocport.lsp;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;

/**
 * The findings that tokens show in a text, and all findings in it: what the analyses have added,
 * and what they have taken away, holds in the next text until it is analyzed itself.
 *
 * @param tokens what tokens show
 * @param all what tokens and analyses show
 */
record Preview(TextBuffer text, List<Diagnostic> tokens, List<Diagnostic> all) {
  /**
   * Returns what is likely in the next text.
   *
   * @param nextTokens what tokens show in it
   */
  List<Diagnostic> next(TextBuffer next, List<Diagnostic> nextTokens) {
    Move move = Move.between(text, next);
    List<Diagnostic> likely = new ArrayList<>(nextTokens);
    likely.removeAll(without(tokens, all).stream().flatMap(d -> move.of(d).stream()).toList());
    likely.addAll(without(all, tokens).stream().flatMap(d -> move.of(d).stream()).toList());
    return likely;
  }

  private static List<Diagnostic> without(List<Diagnostic> some, List<Diagnostic> others) {
    List<Diagnostic> left = new ArrayList<>(some);
    left.removeAll(others);
    return left;
  }

  /**
   * Where lines are that one stretch of changes did not touch.
   *
   * @param same number of lines before the changes
   * @param rest first line after them
   * @param by how far the lines after them have moved
   */
  private record Move(int same, int rest, int by) {
    static Move between(TextBuffer before, TextBuffer now) {
      int same = 0;
      int most = Math.min(before.lines(), now.lines());
      while (same < most && before.line(same).equals(now.line(same))) {
        same++;
      }
      int end = 0;
      while (end < most - same
          && before.line(before.lines() - 1 - end).equals(now.line(now.lines() - 1 - end))) {
        end++;
      }
      return new Move(same, before.lines() - end, now.lines() - before.lines());
    }

    /** Returns a finding where it is now; empty if it was in changed lines. */
    Optional<Diagnostic> of(Diagnostic d) {
      Position start = d.getRange().getStart();
      Position end = d.getRange().getEnd();
      if (end.getLine() < same) {
        return Optional.of(d);
      }
      if (start.getLine() < rest) {
        return Optional.empty();
      }
      Range range =
          new Range(
              new Position(start.getLine() + by, start.getCharacter()),
              new Position(end.getLine() + by, end.getCharacter()));
      Diagnostic moved =
          new Diagnostic(range, d.getMessage().getLeft(), d.getSeverity(), d.getSource());
      moved.setCode(d.getCode());
      return Optional.of(moved);
    }
  }
}
