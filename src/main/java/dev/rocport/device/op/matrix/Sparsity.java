package dev.rocport.device.op.matrix;

import dev.rocport.device.wave.Wave;

/**
 * The positions of the elements of a sparse A: two of every four columns are kept, and two bits for
 * each kept element give its column. A lane's register holds several sets of indices. CDNA3 ISA,
 * SMFMAC.
 */
public final class Sparsity {
  private final Source index;
  private final int[] groups;
  private final int[] shifts;

  /**
   * The sets of 16-bit elements have 8 bits, those of 8-bit ones 16 bits; with cbsz it is the first
   * one, else abid says which.
   *
   * @param index the register with the indices
   * @param depth kept elements of a row
   * @param perLane kept elements of a lane
   */
  Sparsity(Source index, int depth, int perLane, int cbsz, int abid) {
    this.index = index;
    this.groups = new int[depth];
    this.shifts = new int[depth];
    int sets = 32 / (2 * perLane);
    int set = cbsz == 0 ? abid & (sets - 1) : 0;
    for (int kept = 0; kept < depth; kept++) {
      int element = kept % perLane;
      groups[kept] = kept / perLane * 2 * perLane + element / 2 * 4;
      shifts[kept] = 2 * (set * perLane + element);
    }
  }

  /**
   * The column of a kept element.
   *
   * @param lane that holds it
   * @param kept its place among all kept ones of the row
   */
  int column(Wave wave, int lane, int kept) {
    int word = index.of(wave)[index.first() + lane];
    return groups[kept] + ((word >>> shifts[kept]) & 3);
  }
}
