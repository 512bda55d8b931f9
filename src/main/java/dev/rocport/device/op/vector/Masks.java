package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;

/**
 * Where a mask of lanes is: the code of a pair of scalar registers, or that of a single one with a
 * bit that tells so, as waves of 32 lanes have it.
 */
final class Masks {
  private static final int SINGLE = 1 << 16;

  private Masks() {}

  static int of(Operand.Scalar register) {
    return register.dwords() == 1 ? register.code() | SINGLE : register.code();
  }

  static long read(Wave wave, int where) {
    return (where & SINGLE) == 0 ? wave.s64(where) : wave.s[where - SINGLE] & 0xffffffffL;
  }

  static void write(Wave wave, int where, long mask) {
    if ((where & SINGLE) == 0) {
      wave.s64(where, mask);
    } else {
      wave.s[where - SINGLE] = (int) mask;
    }
  }
}
