package dev.rocport.device.op.memory;

import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Wave;

/** LDS by lane: M0[15:0] + offset + 4 * lane. */
record LocalThreadSpace(int offset) implements Space {

  @Override
  public int resolve(Wave wave, long lanes, int bytes, Access access, long[] addresses) {
    long start = (wave.s[Wave.M0] & 0xffffL) + offset;
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      addresses[lane] = LocalSpace.address(wave, lane, start + 4L * lane, bytes, access);
    }
    return 4;
  }

  @Override
  public Kind kind() {
    return Kind.LDS;
  }
}
