package dev.rocport.lang.ptx;

import dev.rocport.rules.PtxRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of translating an asm statement. */
public sealed interface Translation {
  /**
   * C++ code with the same meaning.
   *
   * @param code the statements; {@link #operand} represents operands of the asm statement
   * @param rows the rows used, without duplicates, in order of use
   */
  record Hip(List<Code> code, List<PtxRow> rows) implements Translation {
    public Hip {
      code = List.copyOf(code);
      rows = List.copyOf(rows);
    }
  }

  /**
   * The statement is left unchanged.
   *
   * @param offset of the obstacle in the PTX, in characters
   * @param instruction the head of the instruction, or whatever else prevents translation
   * @param why the reason
   * @param row the row of the instruction in the table; null if there is none
   */
  record Refused(int offset, String instruction, String why, @Nullable PtxRow row)
      implements Translation {}

  /** Returns the character that represents an operand of the statement in translated text. */
  static char operand(int index) {
    return (char) (0xE000 + index);
  }

  /** Returns the operand that a character represents, or -1. */
  static int operandOf(char c) {
    return c >= 0xE000 && c < 0xF000 ? c - 0xE000 : -1;
  }
}
