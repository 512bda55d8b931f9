package dev.rocport.lang.ptx;

import dev.rocport.rules.PtxRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of translating an asm statement. */
public sealed interface Translation {
  /**
   * C++ of the same meaning.
   *
   * @param code the statements; operands of the asm statement are in it as {@link #operand}
   * @param rows what was used, without repetition, in the order of use
   */
  record Hip(List<Code> code, List<PtxRow> rows) implements Translation {
    public Hip {
      code = List.copyOf(code);
      rows = List.copyOf(rows);
    }
  }

  /**
   * It stays as it is.
   *
   * @param offset where in the PTX, in characters
   * @param instruction the head of the instruction, or what else it is about
   * @param why the reason
   * @param row its row in the table; null if there is none
   */
  record Refused(int offset, String instruction, String why, @Nullable PtxRow row)
      implements Translation {}

  /** A character that represents an operand of the statement in translated text. */
  static char operand(int index) {
    return (char) (0xE000 + index);
  }

  /** The operand that a character represents, or -1. */
  static int operandOf(char c) {
    return c >= 0xE000 && c < 0xF000 ? c - 0xE000 : -1;
  }
}
