package dev.rocport.buildsystem.command;

import dev.rocport.buildsystem.command.Outcome.Level;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds text that is being ported, and collects its changes and remarks.
 *
 * <p>A part of a word is a passage of its own: its remarks are at the place of the word.
 */
final class Passage {
  /** The end of a continued line. */
  private static final Pattern SPLICE = Pattern.compile("[ \\t]*\\\\\r?\\n");

  private final Facts facts;
  private final String text;
  private final Outcome outcome = new Outcome();

  /** The place of the remarks if the text is a part of a word. */
  private final Optional<int[]> anchor;

  /** The flags for GPUs are there already. */
  private boolean arch;

  /** The span determines the location of the compiler, from which ROCM_PATH is derived. */
  private boolean finds;

  Passage(Facts facts, String text) {
    this(facts, text, Optional.empty());
  }

  private Passage(Facts facts, String text, Optional<int[]> anchor) {
    this.facts = facts;
    this.text = text;
    this.anchor = anchor;
  }

  /** Returns a passage for a part of a word. */
  Passage part(String part, Word place) {
    int[] at = anchor.orElse(new int[] {place.start(), place.end()});
    Passage passage = new Passage(facts, part, Optional.of(at));
    passage.arch = arch;
    passage.finds = finds;
    return passage;
  }

  /** Returns the ported text of a part, and adds its remarks to this passage. */
  String ported(Passage part) {
    arch = part.arch;
    outcome.remarks().addAll(part.outcome.remarks());
    return part.outcome.applied(part.text, 0, part.text.length());
  }

  Facts facts() {
    return facts;
  }

  String text() {
    return text;
  }

  Outcome outcome() {
    return outcome;
  }

  /** Begins a span, in which the flags for GPUs are set once. */
  void begin() {
    arch = false;
  }

  /** Sets whether the span determines the location of the compiler. */
  void finds(boolean now) {
    finds = now;
  }

  boolean finds() {
    return finds;
  }

  /** Returns the reference to the flags for GPUs; empty if the span has it already. */
  String archOnce() {
    if (arch) {
      return "";
    }
    arch = true;
    return facts.syntax().reference(CommandPort.ARCH_FLAGS);
  }

  void change(int from, int to, String now, Topic topic) {
    outcome.change(from, to, now, topic);
  }

  /** Replaces words; if the replacement is empty, also deletes the blanks before them. */
  void replace(Word first, Word last, String now, Topic topic) {
    int start = first.start();
    if (now.isEmpty()) {
      while (start > 0 && (text.charAt(start - 1) == ' ' || text.charAt(start - 1) == '\t')) {
        start--;
      }
      if (start > 0 && text.charAt(start - 1) == '\n') {
        Matcher rest = SPLICE.matcher(text).region(last.end(), text.length());
        boolean alone = rest.lookingAt();
        outcome.change(alone ? start : first.start(), alone ? rest.end() : last.end(), "", topic);
        return;
      }
    }
    outcome.change(start, last.end(), now, topic);
  }

  void insert(int at, String now, Topic topic) {
    outcome.change(at, at, now, topic);
  }

  /** Renames the variables in a span. */
  void names(int from, int to) {
    String now = renamed(text.substring(from, to));
    if (!now.equals(text.substring(from, to))) {
      outcome.change(from, to, now, Topic.PATH);
    }
  }

  /** Returns a text with the ported names of variables. */
  String renamed(String word) {
    String now = word;
    for (Map.Entry<String, String> e : facts.names().renames().entrySet()) {
      now = now.replaceAll("(?<![\\w.-])" + e.getKey() + "(?![\\w])", e.getValue());
    }
    return now;
  }

  void remark(Word first, Word last, String message, Topic topic, Level level) {
    int start = anchor.map(a -> a[0]).orElse(first.start());
    int end = anchor.map(a -> a[1]).orElse(last.end());
    outcome.remark(start, end, message, topic, level);
  }
}
