package dev.rocport.device.op.memory;

import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** LDS by a 32-bit offset a lane; the offset of the instruction may wrap it around. */
record LocalSpace(int vaddr, int offset) implements LinearSpace {
  @Override
  public int row() {
    return vaddr;
  }

  @Override
  public int add() {
    return offset;
  }

  @Override
  public @Nullable Window window(Wave wave, long lanes, int bytes, Access access) {
    Group group = wave.group;
    return group.ldsSize() < bytes ? null : new Window(group.lds(), 0, group.ldsSize() - bytes);
  }

  @Override
  public int resolve(Wave wave, long lanes, int bytes, Access access, long[] addresses) {
    int[] v = wave.v;
    long lds = wave.group.lds();
    long limit = (long) wave.group.ldsSize() - bytes;
    long above = 0;
    for (int l = 0; l < Wave.LANES; l++) {
      // The sum wraps: compilers take from the base what the offset adds.
      long at = (v[vaddr + l] + offset) & 0xffffffffL;
      addresses[l] = lds + at;
      above |= ((limit - at) >>> 63) << l;
    }
    if ((above & lanes) != 0) {
      int lane = Long.numberOfTrailingZeros(above & lanes);
      throw fault(wave, addresses[lane] - lds, bytes, access).inLane(lane);
    }
    return 4;
  }

  /** The address of an offset that all lanes share, such as one in M0. */
  static long address(Wave wave, long offset, int bytes, Access access) {
    if (offset < 0 || offset > wave.group.ldsSize() - bytes) {
      throw fault(wave, offset, bytes, access);
    }
    return wave.group.lds() + offset;
  }

  private static MemoryFault fault(Wave wave, long offset, int bytes, Access access) {
    return new MemoryFault(
        access,
        offset,
        bytes,
        "outside the LDS of the workgroup, which is " + wave.group.ldsSize() + " bytes");
  }

  @Override
  public Kind kind() {
    return Kind.LDS;
  }
}
