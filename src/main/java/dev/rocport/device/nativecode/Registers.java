package dev.rocport.device.nativecode;

/**
 * Vector registers that an instruction names.
 *
 * @param words how many
 */
record Registers(boolean accumulator, int first, int words) {
  void changed(WaveFunction f) {
    f.changes(accumulator, first, words);
  }

  void used(WaveFunction f) {
    f.uses(accumulator, first, words);
  }

  /** Whether one of the given vector registers is among them. */
  boolean holds(int register, int count) {
    return !accumulator && register < first + words && first < register + count;
  }
}
