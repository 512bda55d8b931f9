package dev.rocport.ptx;

import java.util.List;
import java.util.Set;

/**
 * An asm statement: its PTX and what it is given.
 *
 * @param items what {@link PtxParser} read
 * @param operands in their order, outputs first
 * @param names names that the translation must not use for its own variables, beside those that
 *     stand in the operands
 */
public record Statement(List<Item> items, List<Outer> operands, Set<String> names) {
  /** What is known of an operand's type beyond its constraint. */
  public enum Known {
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
      char constraint, String expression, boolean written, boolean read, Known known) {}
}
