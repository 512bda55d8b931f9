package dev.rocport.device.check.race;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;

/** Lanes of one store that do not agree on what is to stand in one place. */
final class LaneStores {
  private LaneStores() {}

  /**
   * Compares the lanes of a store with each other. Addresses that go up with the lanes, as most do,
   * need no closer look.
   *
   * @param pc index of the instruction
   */
  static void compare(
      LaunchRaces launch,
      WaveClock wave,
      int pc,
      Instruction store,
      long lanes,
      int bytes,
      long[] addresses,
      boolean inLds) {
    if (goUp(lanes, bytes, addresses)) {
      return;
    }
    Operand data = Stored.onlyData(store);
    if (data == null) {
      return;
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int l = Long.numberOfTrailingZeros(m);
      for (long n = m & (m - 1); n != 0; n &= n - 1) {
        int k = Long.numberOfTrailingZeros(n);
        if (addresses[l] == addresses[k]
            && !Stored.agree(wave.wave, store, data, l, k, bytes)
            && launch.isNew(launch.number(), -1, pc)) {
          launch.program().tellOfLanes(wave, pc, inLds, 1L << l | 1L << k);
          return;
        }
      }
    }
  }

  private static boolean goUp(long lanes, int bytes, long[] addresses) {
    long last = Long.MIN_VALUE;
    for (long m = lanes; m != 0; m &= m - 1) {
      long address = addresses[Long.numberOfTrailingZeros(m)];
      if (address < last) {
        return false;
      }
      last = address + bytes;
    }
    return true;
  }
}
