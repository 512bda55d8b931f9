package dev.rocport.lang.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An element of a PTX block. */
public sealed interface Item {
  /** Where it begins, in characters of the text. */
  int start();

  /** Where it ends. */
  int end();

  /**
   * An instruction.
   *
   * @param guard {@code @p}, or null
   * @param opcode {@code ld}
   * @param qualifiers the words after its dots, in their order
   */
  record Instruction(
      int start,
      int end,
      @Nullable Guard guard,
      String opcode,
      List<String> qualifiers,
      List<Operand> operands)
      implements Item {
    /** Opcode and qualifiers as written, {@code ld.global.u32}. */
    public String head() {
      return qualifiers.isEmpty() ? opcode : opcode + "." + String.join(".", qualifiers);
    }
  }

  /**
   * A condition before an instruction.
   *
   * @param register a register, or an operand of the statement
   * @param negated {@code @!p}
   */
  record Guard(Operand register, boolean negated) {}

  /** {@code wait:}. */
  record Label(int start, int end, String name) implements Item {}

  /**
   * Names that hold in the scope, {@code .reg .b32 a, b;}.
   *
   * @param space {@code reg}, {@code shared}, {@code local}, ...
   * @param type null if it is none that is known
   * @param names a name with a count, {@code %r<4>}, declares {@code r0} to {@code r3}
   */
  record Declaration(int start, int end, String space, @Nullable PtxType type, List<String> names)
      implements Item {}

  /** A block in braces, with its own scope. */
  record Scope(int start, int end, List<Item> items) implements Item {}

  /** Any other directive, {@code .pragma "nounroll";}. */
  record Directive(int start, int end, String text) implements Item {}
}
