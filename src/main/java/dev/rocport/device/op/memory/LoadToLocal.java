package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;

/**
 * Loads to LDS: lane l's value goes to M0[15:0] + the offset of the instruction + 4 * l, as a dword
 * also where less is loaded (CDNA3 ISA, 9.1.9). Values of 3 and 4 dwords follow each other
 * likewise.
 */
final class LoadToLocal extends LaneOp {
  final Space space;
  private final Width width;
  private final int offset;

  LoadToLocal(Instruction instruction, Space space, Width width, int offset) {
    super(instruction);
    this.space = space;
    this.width = width;
    this.offset = offset;
  }

  @Override
  void run(Wave wave, long lanes) {
    long[] addresses = wave.temporaries.addresses;
    int stride = resolve(space, wave, lanes, width.bytes(), Access.LOAD, addresses);
    int bytes = 4 * width.dwords();
    int start = (wave.s[Wave.M0] & 0xffff) + offset;
    tell(wave, lanes, start, bytes);
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long to = LocalSpace.address(wave, lane, start + (long) bytes * lane, bytes, Access.STORE);
      for (int d = 0; d < width.dwords(); d++) {
        int value =
            stride == Space.SCATTERED
                ? scattered(wave, lane, addresses[lane] + 4L * d)
                : width.load(addresses[lane] + (long) stride * d);
        Memory.storeInt(to + 4L * d, value);
      }
    }
  }

  private void tell(Wave wave, long lanes, int start, int bytes) {
    AccessObserver observer = wave.observer;
    if (observer != null) {
      long[] to = wave.temporaries.values;
      Arrays.setAll(to, l -> wave.group.lds() + start + (long) bytes * l);
      observer.lanes(
          wave, instruction(), new MemoryAccess(Kind.LDS, Access.STORE, lanes, bytes, to, 4));
    }
  }

  private int scattered(Wave wave, int lane, long offsetOfLane) {
    int value = 0;
    for (int b = 0; b < Math.min(4, width.bytes()); b++) {
      long address = space.byteAddress(wave, lane, offsetOfLane + b);
      if (address != Space.NOWHERE) {
        value |= (Memory.loadByte(address) & 0xff) << (8 * b);
      }
    }
    return width.extend(value);
  }
}
