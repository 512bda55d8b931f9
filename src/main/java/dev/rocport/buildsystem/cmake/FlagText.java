package dev.rocport.buildsystem.cmake;

import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.List;

/** Ports nvcc flags in a span of a CMake file. */
final class FlagText {
  /** Form of a text with flags, which decides the separator of words. */
  enum Form {
    /** Words in a string, as in CMAKE_CUDA_FLAGS. */
    STRING(" "),
    /** A list, such as the options of a target. */
    LIST(";");

    final String separator;

    Form(String separator) {
      this.separator = separator;
    }
  }

  /** A word, without parts that belong to CMake (quotes, SHELL:). */
  record Word(int start, int end, String text) {}

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
      if (plain && !isNvccOnly(first.text())) {
        flags.left.addAll(texts.subList(c.first(), next));
        continue;
      }
      String flag = text.substring(first.start(), last.end());
      if (hasOneQuote(flag) || isQuotedAfter(text, last)) {
        String why = " contains the start of a quoted string; port it by hand";
        flags.remarks.add(new Remark(first.start(), last.end(), flag + why, false, true));
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
      flags.relocatable |= c.words().contains("-fgpu-rdc");
      flags.left.addAll(c.words());
      int end = last.end();
      if (c.words().isEmpty()
          && next < words.size()
          && !hasOneQuote(text.substring(end, words.get(next).start()))) {
        end = words.get(next).start();
      }
      int start = first.start();
      if (c.words().isEmpty() && next == words.size()) {
        start = flags.startOfDeleted(text, words, start);
      }
      flags.changes.add(new Change(start, end, String.join(form.separator, c.words())));
    }
    while (next < words.size()) {
      flags.kept(words.get(next++), plain);
    }
    return flags;
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

  /** Returns whether only nvcc has the flag. */
  private static boolean isNvccOnly(String word) {
    return word.startsWith("--")
        || word.matches(
            "-(X(compiler|ptxas|cudafe|fatbin|nvlink|archive).*|arch=?.*|gencode=?.*|code=.*|lineinfo"
                + "|use_fast_math|rdc=.*|dc|maxrregcount=?.*|ccbin=?.*|expt-.*|extended-lambda"
                + "|default-stream=?.*|ftz=.*|prec-.*|fmad=.*|G|res-usage)");
  }

  /**
   * Returns the words between blanks, semicolons and quotes; a generator expression is one word.
   */
  private static List<Word> words(String text, int from, int to) {
    List<Word> words = new ArrayList<>();
    int i = from;
    while (i < to) {
      if (isSeparator(text.charAt(i))) {
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
      words.add(new Word(start, i, text.substring(start, i)));
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
