package dev.rocport.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An inline assembly statement, {@code asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane))}.
 *
 * @param first its first token
 * @param last its closing parenthesis
 * @param text literals joined as the compiler joins them, escapes as written
 * @param outputs what it writes to; null where its operands are of an unusual form
 * @param inputs what it reads; null likewise
 */
record AsmStatement(
    int first,
    int last,
    String text,
    @Nullable List<Arguments.Span> outputs,
    @Nullable List<Arguments.Span> inputs) {
  /** Mnemonics of AMD's, which a branch for HIP may hold; PTX's begin with a word and a dot. */
  private static final Pattern AMD =
      Pattern.compile("(?:\\\\[nt]|\\s)*(?:v|s|ds|flat|global|buffer|scratch)_[a-z].*");

  private static final Pattern BLANKS = Pattern.compile("(?:\\\\[nt]|\\s)+");
  private static final Pattern WORD_MOVE = Pattern.compile("mov\\.[usb]32 ");

  /** The statement that begins at token {@code i}, or null. */
  static @Nullable AsmStatement at(Tokens t, int i) {
    if (!t.is(i, "asm") && !t.is(i, "__asm__") && !t.is(i, "__asm")) {
      return null;
    }
    int open = i + 1;
    while (t.is(open, "volatile")
        || t.is(open, "__volatile__")
        || t.is(open, "goto")
        || t.is(open, "inline")) {
      open++;
    }
    if (!t.is(open, '(') || t.kind(open + 1) != Tokens.STRING) {
      return null;
    }
    int close = t.match(open);
    int last = close < 0 ? open + 1 : close;
    int end = open + 1;
    while (end < last && !t.is(end, ':')) {
      end++;
    }
    List<Integer> colons = new ArrayList<>();
    for (int k = end; k < last; k = Math.max(t.match(k), k) + 1) {
      if (t.is(k, ':')) {
        colons.add(k);
      }
    }
    int outputsEnd = colons.size() > 1 ? colons.get(1) : last;
    int inputsEnd = colons.size() > 2 ? colons.get(2) : last;
    List<Arguments.Span> inputs =
        colons.size() > 1 ? operands(t, colons.get(1) + 1, inputsEnd) : List.of();
    return new AsmStatement(
        i,
        last,
        text(t, open + 1, end),
        colons.isEmpty() ? List.of() : operands(t, end + 1, outputsEnd),
        inputs);
  }

  boolean isAmd() {
    return AMD.matcher(text).matches();
  }

  /**
   * The template in the form that rules give it: single blanks, registers with one percent sign.
   */
  String normal() {
    String s = BLANKS.matcher(text.replace("%%", "%")).replaceAll(" ").strip();
    s = WORD_MOVE.matcher(s).replaceFirst("mov.u32 ");
    return s.endsWith(";") ? s.substring(0, s.length() - 1).strip() : s;
  }

  private static String text(Tokens t, int from, int end) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < end; i++) {
      String part = t.text(i);
      int quote = part.indexOf('"');
      boolean plain = t.kind(i) == Tokens.STRING && !t.isRawString(i) && part.length() > quote + 1;
      text.append(plain ? part.substring(quote + 1, part.length() - 1) : " " + part + " ");
    }
    return text.toString().strip();
  }

  /** The expressions in {@code "=r"(a), "=r"(b)}, or null. */
  private static @Nullable List<Arguments.Span> operands(Tokens t, int from, int to) {
    List<Arguments.Span> spans = new ArrayList<>();
    int k = from;
    while (k < to) {
      int close = t.is(k + 1, '(') ? t.match(k + 1) : -1;
      if (t.kind(k) != Tokens.STRING || close < 0 || close > to || close == k + 2) {
        return null;
      }
      spans.add(new Arguments.Span(k + 2, close - 1));
      k = close + 1;
      if (k < to && !t.is(k++, ',')) {
        return null;
      }
    }
    return spans;
  }
}
