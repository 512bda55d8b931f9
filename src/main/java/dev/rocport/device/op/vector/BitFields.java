package dev.rocport.device.op.vector;

import dev.rocport.device.wave.Wave;

/** Fields of less than 32 bits that follow each other in the registers of a lane. */
public final class BitFields {
  private BitFields() {}

  /**
   * A field, which may lie in two registers.
   *
   * @param at the index of the lane in the first register
   * @param bit where the field begins, counted from the first register's bit 0
   * @param width its bits
   */
  public static int get(int[] registers, int at, int bit, int width) {
    int word = at + bit / Integer.SIZE * Wave.LANES;
    int shift = bit % Integer.SIZE;
    long pair = registers[word] & 0xffffffffL;
    if (shift + width > Integer.SIZE) {
      pair |= (long) registers[word + Wave.LANES] << Integer.SIZE;
    }
    return (int) (pair >>> shift) & ((1 << width) - 1);
  }

  /** Sets a field whose bits are 0; its place is as for {@link #get}. */
  public static void put(int[] registers, int at, int bit, int width, int value) {
    int word = at + bit / Integer.SIZE * Wave.LANES;
    int shift = bit % Integer.SIZE;
    long pair = (long) value << shift;
    registers[word] |= (int) pair;
    if (shift + width > Integer.SIZE) {
      registers[word + Wave.LANES] |= (int) (pair >>> Integer.SIZE);
    }
  }

  /** Sets a field; its place is as for {@link #get}. */
  public static void replace(int[] registers, int at, int bit, int width, int value) {
    int word = at + bit / Integer.SIZE * Wave.LANES;
    int shift = bit % Integer.SIZE;
    long mask = ((1L << width) - 1) << shift;
    registers[word] &= ~(int) mask;
    if (shift + width > Integer.SIZE) {
      registers[word + Wave.LANES] &= ~(int) (mask >>> Integer.SIZE);
    }
    put(registers, at, bit, width, value);
  }
}
