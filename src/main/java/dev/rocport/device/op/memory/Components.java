package dev.rocport.device.op.memory;

import dev.rocport.device.wave.Wave;

/**
 * The registers with the components of texels or records, one after another, or two in a register.
 *
 * @param first the index of lane 0 of the first register
 * @param halves whether components have 16 bits
 * @param floats whether components are floats
 */
record Components(int first, boolean halves, boolean floats) {

  /** Writes a component; of a register that holds one half, the other half stays. */
  void write(Wave wave, int lane, int number, int value) {
    if (!halves) {
      wave.v[first + number * Wave.LANES + lane] = value;
      return;
    }
    int at = first + number / 2 * Wave.LANES + lane;
    int half = floats ? Float.floatToFloat16(Float.intBitsToFloat(value)) & 0xffff : value & 0xffff;
    int shift = number % 2 * 16;
    wave.v[at] = (wave.v[at] & ~(0xffff << shift)) | half << shift;
  }

  /** Reads a component. Integers of 16 bits are extended with their sign. */
  int read(Wave wave, int lane, int number) {
    if (!halves) {
      return wave.v[first + number * Wave.LANES + lane];
    }
    int both = wave.v[first + number / 2 * Wave.LANES + lane];
    short half = (short) (number % 2 == 0 ? both : both >>> 16);
    return floats ? Float.floatToRawIntBits(Float.float16ToFloat(half)) : half;
  }
}
