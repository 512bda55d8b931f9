package dev.rocport.device.op.matrix;

import dev.rocport.device.wave.Wave;

/**
 * Where the elements of a sparse A stand: of each four columns two are kept, and two bits for each
 * kept one say which it was. A lane's register holds several sets of indices. CDNA3 ISA, SMFMAC.
 *
 * @param index the register with the indices
 * @param set which set to take
 * @param perLane kept elements of a lane
 */
record Sparsity(Source index, int set, int perLane) {

  /**
   * The sets of 16-bit elements have 8 bits, those of 8-bit ones 16 bits; with cbsz it is the first
   * one.
   */
  static Sparsity of(Source index, int perLane, int cbsz, int abid) {
    int sets = 32 / (2 * perLane);
    return new Sparsity(index, cbsz == 0 ? abid & (sets - 1) : 0, perLane);
  }

  /**
   * The column of a kept element.
   *
   * @param lane that holds it
   * @param kept its place among all kept ones of the row
   */
  int column(Wave wave, int lane, int kept) {
    int element = kept % perLane;
    int word = index.of(wave)[index.first() + lane];
    int which = word >>> (2 * (set * perLane + element)) & 3;
    return kept / perLane * 2 * perLane + element / 2 * 4 + which;
  }
}
