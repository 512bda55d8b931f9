package dev.rocport.device.op.memory;

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
    // Two plain loops, of which the compiler makes vectors.
    int most = Integer.MIN_VALUE;
    for (int l = 0; l < Wave.LANES; l++) {
      most = Math.max(most, v[vaddr + l] + offset + Integer.MIN_VALUE);
    }
    for (int l = 0; l < Wave.LANES; l++) {
      // The sum wraps: compilers take from the base what the offset adds.
      addresses[l] = lds + ((v[vaddr + l] + offset) & 0xffffffffL);
    }
    long limit = (long) wave.group.ldsSize() - bytes;
    if (most - (long) Integer.MIN_VALUE > limit) {
      for (long m = lanes; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        long at = addresses[lane] - lds;
        if (at > limit) {
          addresses[lane] = OutsideLds.address(wave, lane, at, bytes, access);
        }
      }
    }
    return 4;
  }

  /**
   * The address of an offset that no VGPR has, such as one in M0.
   *
   * @param lane or -1 where the offset is that of all lanes
   */
  static long address(Wave wave, int lane, long offset, int bytes, Access access) {
    return offset < 0 || offset > wave.group.ldsSize() - bytes
        ? OutsideLds.address(wave, lane, offset, bytes, access)
        : wave.group.lds() + offset;
  }

  @Override
  public Kind kind() {
    return Kind.LDS;
  }
}
