package dev.rocport.lang.ptx;

import java.util.List;

/**
 * An asm statement: its PTX and its operands.
 *
 * @param items what {@link PtxParser} read
 * @param operands in their order, outputs first
 * @param macro whether it is in a macro, where a name in an operand can expand to any expression
 */
public record Statement(List<Item> items, List<Outer> operands, boolean macro) {
  /** What is known about the type of an operand beyond its constraint. */
  public enum Known {
    /** An unsigned integer of the constraint's size. */
    UNSIGNED,
    /** An integer of the constraint's size, of either sign. */
    INTEGER,
    /** Nothing: it may be a pointer. */
    NOTHING
  }

  /**
   * An operand of the statement.
   *
   * @param constraint the letter: {@code r}, {@code l}, {@code h}, {@code f}, {@code d}, {@code n}
   * @param expression its text in C++
   * @param written whether the constraint has {@code =} or {@code +}
   * @param read whether it is an input or has {@code +}
   */
  public record Outer(
      char constraint, String expression, boolean written, boolean read, Known known) {
    /** Whether it may be a pointer. */
    boolean mayBePointer() {
      return constraint == 'l' && known == Known.NOTHING;
    }
  }
}
