package dev.rocport.lang.cuda.asm;

import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.ptx.find.Literals;
import dev.rocport.lang.ptx.find.PtxText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An inline assembly statement, {@code asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane))}.
 *
 * @param first its first token
 * @param last its closing parenthesis
 * @param text the template as the assembler receives it: literals joined, escapes resolved
 * @param offsets for each character of {@code text}, its position in the file
 * @param operands outputs, then inputs; null if their form is not supported
 * @param outputs how many of them are outputs
 * @param odd why the statement cannot be read as a whole; empty if it can
 */
public record AsmStatement(
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

  /** AMD mnemonics, which a HIP branch can contain; PTX mnemonics begin with a word and a dot. */
  private static final Pattern AMD =
      Pattern.compile("\\s*(?:v|s|ds|flat|global|buffer|scratch)_[a-z].*", Pattern.DOTALL);

  /** One of them begins each statement. */
  static final List<String> KEYWORDS = List.of("asm", "__asm__", "__asm");

  /** The value of {@link #odd} for a statement that {@link AsmConditions} may be able to read. */
  static final String CONDITIONS = "conditions of the preprocessor select parts of it";

  private static final Set<String> QUALIFIERS =
      Set.of("volatile", "__volatile__", "__volatile", "inline", "__inline", "__inline__", "goto");

  /** The parenthesis of the statement that begins at token {@code i}; -1 if none does. */
  static int open(Tokens t, int i) {
    if (!t.is(i, "asm") && !t.is(i, "__asm__") && !t.is(i, "__asm")) {
      return -1;
    }
    int open = i + 1;
    while (t.isIdentifier(open) && QUALIFIERS.contains(t.text(open))) {
      open++;
    }
    return t.is(open, '(') ? open : -1;
  }

  /** The statement that begins at token {@code i}, or null. */
  public static @Nullable AsmStatement at(Tokens t, int i) {
    return at(t, i, Map.of(), new BitSet());
  }

  /**
   * The same.
   *
   * @param arguments the arguments of macro parameters that {@code #} turns into strings
   * @param skipped tokens that do not count, because conditions leave them out
   */
  static @Nullable AsmStatement at(Tokens t, int i, Map<String, String> arguments, BitSet skipped) {
    int open = open(t, i);
    boolean jumps = false;
    for (int k = i + 1; k < open; k++) {
      jumps |= t.is(k, "goto");
    }
    if (open < 0
        || (t.kind(open + 1) != Tokens.STRING
            && !startsWithMacro(t, open + 1)
            && !startsWithCondition(t, open + 1))) {
      return null;
    }
    int close = t.match(open);
    int last = close < 0 ? open + 1 : close;
    List<Integer> colons = new ArrayList<>();
    for (int k = open + 1; k < last; k = Math.max(t.match(k), k) + 1) {
      if (skipped.get(k)) {
        continue;
      }
      if (t.is(k, ':')) {
        colons.add(k);
      } else if (t.isPair(k, ':')) { // two of them with nothing between
        colons.add(k);
        colons.add(k);
      }
    }
    int end = colons.isEmpty() ? last : colons.getFirst();
    Template template = new Template(arguments, skipped);
    template.read(t, open + 1, end);
    int outputsEnd = colons.size() > 1 ? colons.get(1) : last;
    int inputsEnd = colons.size() > 2 ? colons.get(2) : last;
    List<Operand> outputs =
        colons.isEmpty() ? List.of() : operands(t, end + 1, outputsEnd, arguments, skipped);
    List<Operand> inputs =
        colons.size() > 1
            ? operands(t, colons.get(1) + 1, inputsEnd, arguments, skipped)
            : List.of();
    List<Operand> operands = null;
    if (outputs != null && inputs != null) {
      operands = new ArrayList<>(outputs);
      operands.addAll(inputs);
    }
    String odd =
        close < 0
            ? "its parenthesis is not closed"
            : jumps
                ? "it jumps to C labels"
                : !template.odd.isEmpty()
                    ? template.odd
                    : operands == null
                        ? "its operands have an unsupported form"
                        : operands.stream().anyMatch(o -> o.constraint().contains("#"))
                            ? "a parameter of a macro is its constraint"
                            : "";
    return new AsmStatement(
        i,
        last,
        template.text.toString(),
        Arrays.copyOf(template.offsets, template.text.length()),
        operands,
        outputs == null ? 0 : outputs.size(),
        odd);
  }

  /** A macro before the first string: {@code asm(PREFIX "mov.u32 ...")}. */
  private static boolean startsWithMacro(Tokens t, int i) {
    int k = i;
    if (t.is(k, '#')) { // an argument of a macro, made a string
      k++;
    }
    return t.isIdentifier(k)
        && (t.kind(k + 1) == Tokens.STRING || t.is(k + 1, ':') || t.is(k, '#') || t.is(k + 1, ')'));
  }

  /** A condition before the first string: {@code asm(} and then {@code #if} in the next line. */
  private static boolean startsWithCondition(Tokens t, int i) {
    return t.inDirective(i) && !t.inDirective(i - 1);
  }

  boolean isAmd() {
    return AMD.matcher(text).matches();
  }

  /** An empty template, which keeps the compiler from moving code: clang takes it too. */
  boolean isBarrier() {
    return odd.isEmpty() && text.isBlank() && operands != null && operands.isEmpty();
  }

  /** Where a character of the text is in the file. */
  int offset(Tokens t, int at) {
    return at >= 0 && at < offsets.length ? offsets[at] : t.start(first);
  }

  /** Reads string literals. */
  private static final class Template {
    final StringBuilder text = new StringBuilder();
    int[] offsets = new int[64];
    String odd = "";
    private final Map<String, String> arguments;
    private final BitSet skipped;

    Template(Map<String, String> arguments, BitSet skipped) {
      this.arguments = arguments;
      this.skipped = skipped;
    }

    void read(Tokens t, int from, int end) {
      for (int i = from; i < end; i++) {
        if (skipped.get(i)) {
          continue;
        }
        if (t.inDirective(i) && !t.inDirective(from - 1)) {
          odd = CONDITIONS;
        } else if (t.is(i, '#') && arguments.containsKey(t.text(i + 1))) {
          String argument = arguments.getOrDefault(t.text(++i), "");
          for (int k = 0; k < argument.length(); k++) {
            add(argument.charAt(k), t.start(i));
          }
        } else if (t.kind(i) != Tokens.STRING) {
          String part = t.text(i);
          odd = "'" + part + "' is inserted into its text by the preprocessor";
          add(' ', t.start(i));
          for (int k = 0; k < part.length(); k++) {
            add(part.charAt(k), t.start(i) + k);
          }
          add(' ', t.end(i));
        } else {
          literal(t, i);
        }
      }
    }

    /** Raw literals have no escapes; in other literals, numeric escapes are not supported. */
    private void literal(Tokens t, int i) {
      byte[] b = t.file().bytes();
      for (int k = t.start(i); !t.isRawString(i) && k + 1 < t.end(i); k++) {
        if (b[k] == '\\') {
          k++;
          if ("xuU01234567".indexOf(b[k]) >= 0) {
            odd = "it contains the escape \\" + (char) b[k];
          }
        }
      }
      PtxText part = Literals.ofC(b, t.start(i), t.end(i));
      for (int k = 0; k < part.text().length(); k++) {
        add(part.text().charAt(k), part.start(k));
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

  /**
   * The operands in {@code "=r"(a), "=r"(b)}, or null. As in nvcc, the comma may be missing. A
   * constraint made of a parameter, {@code #r}, contains it if {@code arguments} lacks it.
   */
  private static @Nullable List<Operand> operands(
      Tokens t, int from, int to, Map<String, String> arguments, BitSet skipped) {
    List<Operand> list = new ArrayList<>();
    int k = skipped.nextClearBit(from);
    while (k < to) {
      StringBuilder constraint = new StringBuilder();
      int open = k;
      while (open < to && startsConstraint(t, open)) {
        String word = t.text(t.is(open, '#') ? open + 1 : open);
        if (!t.is(open, '#')) {
          constraint.append(word.length() < 2 ? "" : word.substring(1, word.length() - 1));
          open++;
        } else {
          constraint.append(arguments.getOrDefault(word, "#" + word));
          open += 2;
        }
      }
      int close = open > k && t.is(open, '(') ? t.match(open) : -1;
      if (close < 0 || close > to || close == open + 1) {
        return null;
      }
      list.add(new Operand(constraint.toString(), new Arguments.Span(open + 1, close - 1)));
      k = skipped.nextClearBit(close + 1);
      if (t.is(k, ',')) {
        k = skipped.nextClearBit(k + 1);
      } else if (k < to && !startsConstraint(t, k)) {
        return null;
      }
    }
    return list;
  }

  private static boolean startsConstraint(Tokens t, int i) {
    return t.kind(i) == Tokens.STRING || (t.is(i, '#') && t.isIdentifier(i + 1));
  }
}
