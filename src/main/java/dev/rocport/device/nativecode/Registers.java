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
}
