package dev.rocport.assess;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Suppressed;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.rules.Changes;
import dev.rocport.rules.RuleFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Suppressions in comments of the source: {@code rocport: ignore RULE-ID reason} for findings on
 * the line of the comment, or on the next line of code if the comment is alone on its line; {@code
 * rocport: ignore-file RULE-ID reason} for the whole file. In the id, {@code *} matches any
 * characters.
 */
public final class InlineSuppressions {
  private static final byte[] MARK = "rocport:".getBytes(StandardCharsets.US_ASCII);
  private static final Pattern COMMENT =
      Pattern.compile(
          "\\brocport:[ \\t]*(ignore|ignore-file)[ \\t]+([A-Z][A-Z0-9*-]++)(?![a-z])"
              + "[ \\t]*([^\\r\\n]*)");
  static final String NO_REASON = "SUPPRESS-NO-REASON";

  /** The rule about suppressions that no finding needs. */
  public static final String UNUSED = "SUPPRESS-UNUSED";

  private InlineSuppressions() {}

  /** The remaining and the suppressed findings of a file, in order of their places. */
  public record Outcome(List<Finding> findings, List<Suppressed> suppressed) {}

  private static final class Entry {
    final String rule;
    final String reason;
    final int start;
    final int end;
    final int line;
    final int firstLine;
    final int lastLine;
    boolean used;

    Entry(SourceFile file, String rule, String reason, int start, int end, int first, int last) {
      this.rule = rule;
      this.reason = reason;
      this.start = start;
      this.end = end;
      this.line = file.line(start);
      this.firstLine = first;
      this.lastLine = last;
    }

    boolean covers(Finding f) {
      boolean here = firstLine == 0 || (f.line() >= firstLine && f.line() <= lastLine);
      return here && names(rule, f.rule());
    }
  }

  /**
   * Separates the findings that comments of the file suppress. Adds findings about the suppressions
   * to {@code changes}; call it once per file, after all rules have run.
   */
  public static Outcome apply(Changes changes) {
    SourceFile file = changes.file();
    if (!file.encoding().isText() || !contains(file.bytes(), MARK)) {
      return new Outcome(changes.findings(), List.of());
    }
    List<Entry> entries = entries(file);
    if (entries.isEmpty()) {
      return new Outcome(changes.findings(), List.of());
    }
    for (Finding f : changes.findings()) {
      entries.stream().filter(e -> e.covers(f)).forEach(e -> e.used = true);
    }
    report(changes, entries);
    List<Finding> kept = new ArrayList<>();
    List<Suppressed> suppressed = new ArrayList<>();
    for (Finding f : changes.findings()) {
      Optional<Entry> by = entries.stream().filter(e -> e.covers(f)).findFirst();
      by.ifPresentOrElse(
          e -> suppressed.add(new Suppressed(f, e.reason, file.path() + ":" + e.line)),
          () -> kept.add(f));
    }
    return new Outcome(List.copyOf(kept), List.copyOf(suppressed));
  }

  private static void report(Changes changes, List<Entry> entries) {
    for (Entry e : entries) {
      if (e.reason.isEmpty()) {
        changes.finding(
            NO_REASON,
            Disposition.REVIEW,
            e.start,
            e.end,
            "the suppression of " + e.rule + " gives no reason");
      }
      // A rule that was left out of this run cannot have had findings.
      if (!e.used && (e.rule.contains("*") || changes.allows(e.rule))) {
        changes.finding(
            UNUSED,
            Disposition.REVIEW,
            e.start,
            e.end,
            "there is no finding of " + e.rule + " to suppress here");
      }
    }
  }

  private static List<Entry> entries(SourceFile file) {
    Tokens tokens = Lexer.lex(file);
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < tokens.commentCount(); i++) {
      int start = tokens.commentStart(i);
      String comment = file.text(start, tokens.commentEnd(i));
      Matcher m = COMMENT.matcher(comment);
      while (m.find()) {
        int at = start + bytes(file, comment, m.start());
        int end = start + bytes(file, comment, m.end());
        String reason = m.group(3).replaceFirst("\\*/\\s*$", "").strip();
        if (m.group(1).equals("ignore-file")) {
          entries.add(new Entry(file, m.group(2), reason, at, end, 0, 0));
        } else {
          int line = file.line(at);
          boolean alone = isAlone(tokens, file, start);
          int last = alone ? nextCodeLine(tokens, tokens.commentEnd(i), line) : line;
          entries.add(new Entry(file, m.group(2), reason, at, end, line, last));
        }
      }
    }
    return entries;
  }

  /** Returns whether no code is before the comment on its line. */
  private static boolean isAlone(Tokens tokens, SourceFile file, int comment) {
    int before = tokens.at(comment) - 1;
    return before < 0 || tokens.end(before) <= file.lineStart(file.line(comment));
  }

  /** Returns the line of the first token after the comment. */
  private static int nextCodeLine(Tokens tokens, int end, int line) {
    int next = tokens.at(end);
    return next < tokens.count() ? tokens.file().line(tokens.start(next)) : line;
  }

  private static int bytes(SourceFile file, String text, int chars) {
    return file.encoding() == Encoding.EIGHT_BIT
        ? chars
        : text.substring(0, chars).getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Returns whether the rule of a suppression, in which {@code *} matches any characters, names
   * this rule.
   */
  static boolean names(String pattern, String rule) {
    return new RuleFilter(List.of(pattern), List.of()).allows(rule);
  }

  private static boolean contains(byte[] text, byte[] part) {
    int last = text.length - part.length;
    for (int i = 0; i <= last; i++) {
      if (text[i] == part[0]) {
        int k = 1;
        while (k < part.length && text[i + k] == part[k]) {
          k++;
        }
        if (k == part.length) {
          return true;
        }
      }
    }
    return false;
  }
}
