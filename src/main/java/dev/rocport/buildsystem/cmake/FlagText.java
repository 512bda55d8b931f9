package dev.rocport.buildsystem.cmake;

import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.List;

/** Ports nvcc flags in a span of a CMake file. */
final class FlagText {
  /** Form of a text with flags, which decides the separator of words. */
  enum Form {
    /** The value of a variable that holds words in a string, as CMAKE_CUDA_FLAGS does. */
    STRING(" "),
    /** Words inside a quoted string. */
    QUOTED(" "),
    /** A list, such as the options of a target. */
    LIST(";"),
    /** Arguments of a program; a quoted one is a single word. */
    ARGUMENTS(" "),
    /** A value in which a flag must stay one word, since readers split it in different ways. */
    SINGLE(" ");

    final String separator;

    Form(String separator) {
      this.separator = separator;
    }

    /** Returns the form of a variable that is used in both forms. */
    Form and(Form other) {
      return this == other ? this : SINGLE;
    }
  }

  /**
   * A word, without parts that belong to CMake (quotes, SHELL:).
   *
   * @param quoted whether it is in quotes that the text has
   */
  record Word(int start, int end, String text, boolean quoted) {}

  /** A replaced span. */
  record Change(int start, int end, String text) {}

  /** A remark about a span; a problem if the flag has no counterpart. */
  record Remark(int start, int end, String message, boolean arch, boolean problem) {}

  private final List<Change> changes = new ArrayList<>();
  private final List<Remark> remarks = new ArrayList<>();
  private final List<String> left = new ArrayList<>();
  private boolean relocatable;

  private FlagText() {}

  /**
   * @param plain whether host compilers may also get the words, so only nvcc flags are ported
   */
  static FlagText of(String text, int from, int to, Form form, boolean plain) {
    FlagText flags = new FlagText();
    List<Word> words = words(text, from, to);
    List<String> texts = words.stream().map(Word::text).toList();
    int next = 0;
    for (NvccWords.Change c : NvccWords.changes(texts)) {
      while (next < c.first()) {
        flags.kept(words.get(next++), plain);
      }
      next = c.first() + c.count();
      Word first = words.get(c.first());
      Word last = words.get(next - 1);
      if (plain && !NvccWords.isForAll(first.text())) {
        flags.left.addAll(texts.subList(c.first(), next));
        continue;
      }
      String flag = text.substring(first.start(), last.end());
      String byHand = byHand(text, first, last, form, c.words());
      if (!byHand.isEmpty()) {
        flags.remarks.add(new Remark(first.start(), last.end(), flag + byHand, false, true));
        flags.left.addAll(texts.subList(c.first(), next));
        continue;
      }
      if (!c.problem().isEmpty()) {
        flags.remarks.add(
            new Remark(first.start(), last.end(), flag + ": " + c.problem(), false, true));
        continue;
      }
      if (c.arch() || !c.note().isEmpty()) {
        String why = c.arch() ? LeftOut.ARCH_ADVICE : c.note();
        flags.remarks.add(
            new Remark(first.start(), last.end(), flag + " is left out: " + why, c.arch(), false));
      }
      int start = first.start();
      int end = last.end();
      flags.relocatable |= c.words().contains("-fgpu-rdc");
      flags.left.addAll(c.words());
      boolean argument = form == Form.ARGUMENTS && first.quoted();
      if (argument) {
        start--;
        end++;
        while (c.words().isEmpty() && " \t".indexOf(text.charAt(start - 1)) >= 0) {
          start--;
        }
      }
      if (c.words().isEmpty()
          && !argument
          && next < words.size()
          && !hasOneQuote(text.substring(end, words.get(next).start()))) {
        end = words.get(next).start();
      }
      if (c.words().isEmpty() && next == words.size()) {
        start = flags.startOfDeleted(text, words, start);
      }
      flags.changes.add(new Change(start, end, joined(c.words(), form, first.quoted())));
    }
    while (next < words.size()) {
      flags.kept(words.get(next++), plain);
    }
    return flags;
  }

  /**
   * Returns why an edit would be wrong for a flag, as the end of a message; empty if it is right.
   *
   * @param to the translation of the flag
   */
  private static String byHand(String text, Word first, Word last, Form form, List<String> to) {
    if (hasOneQuote(text.substring(first.start(), last.end())) || isQuotedAfter(text, last)) {
      return " contains the start of a quoted string; port it by hand";
    }
    if (form == Form.ARGUMENTS && first.quoted() && !isWholeArgument(text, first, last)) {
      return " is a part of a quoted argument; port it by hand";
    }
    return form == Form.SINGLE && to.size() > 1
        ? " translates to several clang flags where only one fits: " + String.join(" ", to)
        : "";
  }

  /** Returns whether a text has only one end of a quoted text, which an edit would tear apart. */
  private static boolean hasOneQuote(String text) {
    return text.replaceAll("\\\\.", "").chars().filter(c -> c == '"').count() % 2 == 1;
  }

  /** Returns whether the value of a flag begins with the quote after the word. */
  private static boolean isQuotedAfter(String text, Word word) {
    return word.text().endsWith("=")
        && word.end() < text.length()
        && text.charAt(word.end()) == '"';
  }

  private static boolean isWholeArgument(String text, Word first, Word last) {
    return text.charAt(first.start() - 1) == '"'
        && last.end() < text.length()
        && text.charAt(last.end()) == '"';
  }

  /** Returns the text for translated words. */
  private static String joined(List<String> words, Form form, boolean quoted) {
    String joined = String.join(form.separator, words);
    if (form == Form.ARGUMENTS && quoted && !words.isEmpty()) {
      return '"' + String.join("\" \"", words) + '"';
    }
    boolean splits = form == Form.STRING && !quoted && words.size() > 1;
    return splits ? '"' + joined + '"' : joined;
  }

  /** Returns the start of the deleted words at the end, including the blanks before them. */
  private int startOfDeleted(String text, List<Word> words, int start) {
    int from = start;
    while (!changes.isEmpty()
        && changes.getLast().end() == from
        && changes.getLast().text().isEmpty()) {
      from = changes.removeLast().start();
    }
    for (Word word : words.reversed()) {
      if (word.end() <= from) {
        return text.substring(word.end(), from).isBlank() ? word.end() : from;
      }
    }
    return from;
  }

  private void kept(Word word, boolean plain) {
    left.add(word.text());
    if (!plain && word.text().startsWith("--") && NvccWords.isUnknown(word.text())) {
      remarks.add(
          new Remark(word.start(), word.end(), word.text() + " is an unknown flag", false, true));
    }
  }

  /**
   * Returns the words between blanks, semicolons and quotes; a generator expression is one word.
   */
  private static List<Word> words(String text, int from, int to) {
    List<Word> words = new ArrayList<>();
    boolean quoted = false;
    int i = from;
    while (i < to) {
      if (isSeparator(text.charAt(i))) {
        quoted ^= text.charAt(i) == '"';
        i++;
        continue;
      }
      if (text.startsWith("SHELL:", i)) {
        i += "SHELL:".length();
        continue;
      }
      int start = i;
      int depth = 0;
      while (i < to && (depth > 0 || !isSeparator(text.charAt(i)))) {
        if (text.startsWith("$<", i)) {
          depth++;
        } else if (text.charAt(i) == '>' && depth > 0) {
          depth--;
        } else if (text.charAt(i) == '\\') {
          i++;
        }
        i++;
      }
      i = Math.min(i, to);
      words.add(new Word(start, i, text.substring(start, i), quoted));
    }
    return words;
  }

  private static boolean isSeparator(char c) {
    return Character.isWhitespace(c) || c == ';' || c == '"';
  }

  List<Change> changes() {
    return changes;
  }

  List<Remark> remarks() {
    return remarks;
  }

  /** Returns the ported words. */
  List<String> left() {
    return left;
  }

  /** Returns whether a flag requests relocatable device code. */
  boolean isRelocatable() {
    return relocatable;
  }
}
