package dev.rocport.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An inline assembly statement, {@code asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane))}.
 *
 * @param first its first token
 * @param last its closing parenthesis
 * @param text the template as the assembler gets it: literals joined, escapes resolved
 * @param offsets for each character of {@code text}, where it stands in the file
 * @param operands outputs, then inputs; null where they are of an unusual form
 * @param outputs how many of them are outputs
 * @param odd why the statement cannot be read as a whole; empty if it can
 */
record AsmStatement(
    int first,
    int last,
    String text,
    int[] offsets,
    @Nullable List<Operand> operands,
    int outputs,
    String odd) {
  /**
   * An operand.
   *
   * @param constraint as written, without quotes
   * @param span the expression
   */
  record Operand(String constraint, Arguments.Span span) {}

  /** Mnemonics of AMD's, which a branch for HIP may hold; PTX's begin with a word and a dot. */
  private static final Pattern AMD =
      Pattern.compile("\\s*(?:v|s|ds|flat|global|buffer|scratch)_[a-z].*", Pattern.DOTALL);

  private static final Set<String> QUALIFIERS =
      Set.of("volatile", "__volatile__", "__volatile", "inline", "__inline", "__inline__", "goto");

  /** The statement that begins at token {@code i}, or null. */
  static @Nullable AsmStatement at(Tokens t, int i) {
    if (!t.is(i, "asm") && !t.is(i, "__asm__") && !t.is(i, "__asm")) {
      return null;
    }
    int open = i + 1;
    boolean jumps = false;
    while (t.isIdentifier(open) && QUALIFIERS.contains(t.text(open))) {
      jumps |= t.is(open, "goto");
      open++;
    }
    if (!t.is(open, '(') || (t.kind(open + 1) != Tokens.STRING && !startsWithMacro(t, open + 1))) {
      return null;
    }
    int close = t.match(open);
    int last = close < 0 ? open + 1 : close;
    List<Integer> colons = new ArrayList<>();
    for (int k = open + 1; k < last; k = Math.max(t.match(k), k) + 1) {
      if (t.is(k, ':')) {
        colons.add(k);
      } else if (t.isPair(k, ':')) { // two of them with nothing between
        colons.add(k);
        colons.add(k);
      }
    }
    int end = colons.isEmpty() ? last : colons.getFirst();
    Template template = new Template();
    template.read(t, open + 1, end);
    int outputsEnd = colons.size() > 1 ? colons.get(1) : last;
    int inputsEnd = colons.size() > 2 ? colons.get(2) : last;
    List<Operand> outputs = colons.isEmpty() ? List.of() : operands(t, end + 1, outputsEnd);
    List<Operand> inputs =
        colons.size() > 1 ? operands(t, colons.get(1) + 1, inputsEnd) : List.of();
    List<Operand> operands = null;
    if (outputs != null && inputs != null) {
      operands = new ArrayList<>(outputs);
      operands.addAll(inputs);
    }
    String odd =
        close < 0
            ? "its parenthesis is not closed"
            : jumps
                ? "it jumps to labels of C"
                : !template.odd.isEmpty()
                    ? template.odd
                    : operands == null ? "its operands are of an unusual form" : "";
    return new AsmStatement(
        i,
        last,
        template.text.toString(),
        Arrays.copyOf(template.offsets, template.text.length()),
        operands,
        outputs == null ? 0 : outputs.size(),
        odd);
  }

  /** A macro in front of the first string: {@code asm(PREFIX "mov.u32 ...")}. */
  private static boolean startsWithMacro(Tokens t, int i) {
    int k = i;
    if (t.is(k, '#')) { // an argument of a macro, made a string
      k++;
    }
    return t.isIdentifier(k)
        && (t.kind(k + 1) == Tokens.STRING || t.is(k + 1, ':') || t.is(k, '#') || t.is(k + 1, ')'));
  }

  boolean isAmd() {
    return AMD.matcher(text).matches();
  }

  /** An empty template, which keeps the compiler from moving code: clang takes it too. */
  boolean isBarrier() {
    return odd.isEmpty() && text.isBlank() && operands != null && operands.isEmpty();
  }

  /** Where a character of the text stands in the file. */
  int offset(Tokens t, int at) {
    return at >= 0 && at < offsets.length ? offsets[at] : t.start(first);
  }

  /** Reads string literals. */
  private static final class Template {
    final StringBuilder text = new StringBuilder();
    int[] offsets = new int[64];
    String odd = "";

    void read(Tokens t, int from, int end) {
      for (int i = from; i < end; i++) {
        if (t.kind(i) != Tokens.STRING) {
          String part = t.text(i);
          odd = "'" + part + "' is put into its text by the preprocessor";
          add(' ', t.start(i));
          for (int k = 0; k < part.length(); k++) {
            add(part.charAt(k), t.start(i) + k);
          }
          add(' ', t.end(i));
        } else if (t.isRawString(i)) {
          raw(t, i);
        } else {
          plain(t, i);
        }
      }
    }

    private void raw(Tokens t, int i) {
      byte[] b = t.file().bytes();
      int from = t.start(i);
      while (from < t.end(i) && b[from] != '(') {
        from++;
      }
      int quote = t.start(i);
      while (quote < from && b[quote] != '"') {
        quote++;
      }
      int to = t.end(i) - 2 - (from - quote - 1);
      for (int k = from + 1; k < to; k++) {
        add((char) (b[k] & 0xff), k);
      }
    }

    private void plain(Tokens t, int i) {
      byte[] b = t.file().bytes();
      int k = t.start(i);
      while (k < t.end(i) && b[k] != '"') {
        k++;
      }
      k++;
      while (k < t.end(i) - 1) {
        if (b[k] != '\\') {
          add((char) (b[k] & 0xff), k);
          k++;
          continue;
        }
        int at = k;
        char c = k + 1 < t.end(i) ? (char) b[k + 1] : '\\';
        k += 2;
        switch (c) {
          case 'n' -> add('\n', at);
          case 't' -> add('\t', at);
          case 'r' -> add('\r', at);
          case 'v', 'f' -> add(' ', at);
          case '\n' -> {}
          case '\r' -> k += k < t.end(i) && b[k] == '\n' ? 1 : 0;
          case 'x', 'u', 'U', '0', '1', '2', '3', '4', '5', '6', '7' -> {
            odd = "it holds the escape \\" + c;
            add(' ', at);
          }
          default -> add(c, at);
        }
      }
    }

    private void add(char c, int offset) {
      if (text.length() == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * offsets.length);
      }
      offsets[text.length()] = offset;
      text.append(c);
    }
  }

  /** The operands in {@code "=r"(a), [b] "=r"(b)}, or null. */
  private static @Nullable List<Operand> operands(Tokens t, int from, int to) {
    List<Operand> list = new ArrayList<>();
    int k = from;
    while (k < to) {
      int close = t.is(k + 1, '(') ? t.match(k + 1) : -1;
      if (t.kind(k) != Tokens.STRING || close < 0 || close > to || close == k + 2) {
        return null;
      }
      String literal = t.text(k);
      list.add(
          new Operand(
              literal.length() < 2 ? "" : literal.substring(1, literal.length() - 1),
              new Arguments.Span(k + 2, close - 1)));
      k = close + 1;
      if (k < to && !t.is(k++, ',')) {
        return null;
      }
    }
    return list;
  }
}
