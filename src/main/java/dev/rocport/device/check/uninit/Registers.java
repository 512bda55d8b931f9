package dev.rocport.device.check.uninit;

import dev.rocport.device.isa.Operand;
import java.util.TreeSet;

/** Registers that an instruction uses. */
final class Registers {
  private final TreeSet<Integer> vectors = new TreeSet<>();
  private long low;
  private long high;

  /** The number of the first vector register of an operand. */
  static int number(Operand operand) {
    return switch (operand) {
      case Operand.Vector(int register, int _) -> register;
      case Operand.Accumulator(int register, int _) -> Shade.ACCUMULATORS + register;
      default -> throw new IllegalArgumentException("no vector register: " + operand);
    };
  }

  static boolean isVector(Operand operand) {
    return operand instanceof Operand.Vector || operand instanceof Operand.Accumulator;
  }

  void vector(int first, int count) {
    for (int i = 0; i < count; i++) {
      vectors.add(first + i);
    }
  }

  /** Null is none. */
  void scalar(int code, int count) {
    for (int i = code; i < code + count && code != Operand.NULL; i++) {
      if (i < 64) {
        low |= 1L << i;
      } else {
        high |= 1L << (i - 64);
      }
    }
  }

  /** An operand of so many registers. */
  void operand(Operand operand, int dwords) {
    if (isVector(operand)) {
      vector(number(operand), dwords);
    } else if (operand instanceof Operand.Scalar(int code, int _)) {
      scalar(code, dwords);
    }
  }

  int[] vectors() {
    return vectors.stream().mapToInt(Integer::intValue).toArray();
  }

  long low() {
    return low;
  }

  long high() {
    return high;
  }
}
