package dev.rocport.lang.cuda.asm;

import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.ptx.Statement;
import java.util.regex.Pattern;

/** Derives the types of the operands of inline assembly from the declarations of a file. */
final class AsmOperands {
  private static final Pattern INTEGER_TYPE =
      Pattern.compile(
          "u?int(?:8|16|32|64)_t|size_t|u?intptr_t|ptrdiff_t|unsigned|signed|int|short|long|char"
              + "|u?int|uint|ulong|ushort|uchar|u(?:8|16|32|64)|CUdeviceptr|u?long64");

  private AsmOperands() {}

  /** What the declarations and casts of the file show about an operand. */
  static Statement.Known known(CudaFile f, Arguments.Span span, char letter) {
    Tokens t = f.t;
    Statement.Known least =
        letter == 'l' ? Statement.Known.NOTHING : Statement.Known.INTEGER; // as nvcc has it
    int i = span.first();
    if (span.last() != i) {
      boolean cast =
          (t.is(i, '(') && t.match(i) > i && isInteger(t, t.match(i) - 1))
              || (t.text(i).endsWith("_cast")
                  && t.is(i + 1, '<')
                  && isInteger(t, i + 2)
                  && t.is(i + 3, '>'));
      return cast ? Statement.Known.INTEGER : least;
    }
    if (!t.isIdentifier(i)) {
      return Statement.Known.INTEGER;
    }
    String name = t.text(i);
    return f.operandTypes.computeIfAbsent(letter + name, k -> declared(t, name, letter, least));
  }

  /** What the declarations of a name in the file say. */
  private static Statement.Known declared(
      Tokens t, String name, char letter, Statement.Known least) {
    boolean integer = false;
    boolean unsigned = true;
    int hash = Tokens.hash(name);
    for (int k = 1; k < t.count(); k++) {
      if (t.hash(k) != hash || !t.is(k, name)) {
        continue;
      }
      boolean pointer =
          (t.is(k - 1, '*') || t.is(k - 1, '&'))
              && (t.isIdentifier(k - 2) || t.is(k - 2, '>') || t.is(k - 2, '*'));
      boolean array = t.is(k + 1, '[') && t.isIdentifier(k - 1) && !t.is(k - 1, "return");
      if (array || (pointer && (letter == 'l' || !isInteger(t, k - 2)))) {
        return least;
      }
      unsigned &= !pointer;
      if (t.isIdentifier(k - 1) && !t.is(k - 1, "return")) {
        if (!isInteger(t, k - 1)) {
          return least;
        }
        integer = true;
        unsigned &= isUnsigned(t, k - 1, letter);
      } else if (t.is(k - 1, ',') && !t.is(k + 1, ')')) {
        unsigned = false; // it may be declared beside another
      }
    }
    return !integer ? least : unsigned ? Statement.Known.UNSIGNED : Statement.Known.INTEGER;
  }

  private static boolean isInteger(Tokens t, int i) {
    return t.isIdentifier(i) && INTEGER_TYPE.matcher(t.text(i)).matches();
  }

  /** Whether a type that ends at token {@code i} is the unsigned one of the constraint's size. */
  private static boolean isUnsigned(Tokens t, int i, char letter) {
    String word = t.text(i);
    return switch (letter) {
      case 'r' ->
          word.equals("uint32_t")
              || word.equals("uint")
              || word.equals("u32")
              || word.equals("unsigned")
              || (word.equals("int") && t.is(i - 1, "unsigned"));
      case 'l' ->
          word.equals("uint64_t")
              || word.equals("u64")
              || (word.equals("long") && t.is(i - 1, "long") && t.is(i - 2, "unsigned"));
      default -> false;
    };
  }
}
