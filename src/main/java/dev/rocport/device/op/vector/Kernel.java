package dev.rocport.device.op.vector;

import org.jspecify.annotations.Nullable;

/** An opcode for all lanes. Registers are rows of 64 values; one of 64 bits is two rows. */
interface Kernel {
  /**
   * Computes the lanes of {@code exec} and writes no other. Rows of the result may be rows of a
   * source only where the lanes agree.
   *
   * @param mask the mask that the opcode takes, if it takes one
   * @return the mask that the opcode makes, 0 in lanes outside {@code exec}; 0 if it makes none
   */
  long run(
      int[] d,
      int dOffset,
      int @Nullable [] a,
      int aOffset,
      int @Nullable [] b,
      int bOffset,
      int @Nullable [] c,
      int cOffset,
      long mask,
      long exec);
}
