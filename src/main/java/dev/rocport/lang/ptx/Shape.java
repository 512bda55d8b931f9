package dev.rocport.lang.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operand of an instruction must look like. */
sealed interface Shape {
  /**
   * A register or a value.
   *
   * @param part the words of its parts, or null
   */
  record Value(String name, String type, @Nullable Choice part) implements Shape {
    boolean isWritten() {
      return name.startsWith("d");
    }
  }

  /** {@code [a]}, and what follows the address inside the brackets. */
  record Memory(Value address, List<Shape> further) implements Shape {}

  /** {@code {a0, a1}}. */
  record Several(List<Shape> elements) implements Shape {}

  /** {@code d|p}. */
  record Two(Shape first, Shape second) implements Shape {}

  /** A constant that must be this one. */
  record Constant(long value) implements Shape {}
}
