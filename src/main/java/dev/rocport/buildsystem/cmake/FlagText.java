package dev.rocport.buildsystem.cmake;

import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.List;

/** nvcc's flags in a stretch of a file of CMake's, as edits of it. */
final class FlagText {
  /** What stands between words that are written. */
  enum Form {
    /** A string of words, as in CMAKE_CUDA_FLAGS. */
    STRING(" "),
    /** A list, as options of targets are. */
    LIST(";");

    final String separator;

    Form(String separator) {
      this.separator = separator;
    }
  }

  /** A word; what belongs to CMake (quotes, SHELL:) is not part of it. */
  record Word(int start, int end, String text) {}

  /** A stretch that becomes another text. */
  record Change(int start, int end, String text) {}

  /** Something to say about a stretch; it is an error where the flag cannot be had. */
  record Remark(int start, int end, String message, boolean arch, boolean problem) {}

  private final List<Change> changes = new ArrayList<>();
  private final List<Remark> remarks = new ArrayList<>();
  private final List<String> left = new ArrayList<>();
  private boolean relocatable;

  private FlagText() {}

  /**
   * @param plain the words may be of a host compiler, too: only nvcc's own are looked at
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
      if (plain && !isOfNvcc(first.text())) {
        flags.left.addAll(texts.subList(c.first(), next));
        continue;
      }
      String said = text.substring(first.start(), last.end());
      if (!c.problem().isEmpty()) {
        flags.remarks.add(
            new Remark(first.start(), last.end(), said + ": " + c.problem(), false, true));
        continue;
      }
      if (c.arch() || !c.note().isEmpty()) {
        String why = c.arch() ? "architectures are told from outside" : c.note();
        flags.remarks.add(
            new Remark(first.start(), last.end(), said + " is left out: " + why, c.arch(), false));
      }
      flags.relocatable |= c.words().contains("-fgpu-rdc");
      flags.left.addAll(c.words());
      int end = last.end();
      if (c.words().isEmpty() && next < words.size()) {
        end = words.get(next).start();
      }
      int start = first.start();
      if (c.words().isEmpty() && next == words.size()) {
        start = flags.lastOfThem(text, words, start);
      }
      flags.changes.add(new Change(start, end, String.join(form.separator, c.words())));
    }
    while (next < words.size()) {
      flags.kept(words.get(next++), plain);
    }
    return flags;
  }

  /** Where the words that go at the end begin, with the blanks before them. */
  private int lastOfThem(String text, List<Word> words, int start) {
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
          new Remark(word.start(), word.end(), word.text() + " is no known flag", false, true));
    }
  }

  /** Flags that no host compiler has. */
  private static boolean isOfNvcc(String word) {
    return word.startsWith("--")
        || word.matches(
            "-(X(compiler|ptxas|cudafe|fatbin|nvlink|archive).*|arch=?.*|gencode=?.*|code=.*|lineinfo"
                + "|use_fast_math|rdc=.*|dc|maxrregcount=?.*|ccbin=?.*|expt-.*|extended-lambda"
                + "|default-stream=?.*|ftz=.*|prec-.*|fmad=.*|G|res-usage)");
  }

  /** Words between blanks, semicolons and quotes; what a generator expression holds is one. */
  private static List<Word> words(String text, int from, int to) {
    List<Word> words = new ArrayList<>();
    int i = from;
    while (i < to) {
      if (isBetween(text.charAt(i))) {
        i++;
        continue;
      }
      if (text.startsWith("SHELL:", i)) {
        i += "SHELL:".length();
        continue;
      }
      int start = i;
      int depth = 0;
      while (i < to && (depth > 0 || !isBetween(text.charAt(i)))) {
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

  private static boolean isBetween(char c) {
    return Character.isWhitespace(c) || c == ';' || c == '"';
  }

  List<Change> changes() {
    return changes;
  }

  List<Remark> remarks() {
    return remarks;
  }

  /** The words as they are afterwards. */
  List<String> left() {
    return left;
  }

  /** Among the flags is one for device code that is linked across files. */
  boolean isRelocatable() {
    return relocatable;
  }
}
