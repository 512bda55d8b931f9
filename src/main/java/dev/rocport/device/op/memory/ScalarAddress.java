package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.Wave;

/**
 * The address of a scalar access: base + register + number, its two low bits ignored if it is that
 * of words.
 *
 * @param buffer the base is a buffer descriptor, beyond whose end loads give 0 and stores go
 *     nowhere
 * @param base the code of its first register
 * @param soffset the code of the register, or NONE
 */
record ScalarAddress(boolean buffer, int base, int soffset, int offset, Permission permission) {
  static final int NONE = -1;

  /**
   * The address of the access, or where nothing of it lies in the buffer {@link Space#NOWHERE}.
   *
   * @param bytes of the whole access
   */
  long of(Wave wave, Instruction instruction, int bytes, Access access) {
    long align = Math.min(4, bytes);
    long add = offset + (soffset == NONE ? 0 : wave.s[soffset] & 0xffffffffL);
    long start = buffer ? wave.s64(base) & 0xffff_ffff_ffffL : wave.s64(base);
    long address = (start + add) & -align;
    int inside = inside(wave, address, bytes);
    if (inside == 0) {
      return Space.NOWHERE;
    }
    permission.require(wave, address, inside, access);
    AccessObserver observer = wave.observer;
    if (observer != null) {
      observer.scalar(wave, instruction, access, address, inside);
    }
    return address;
  }

  /** How many bytes of an access lie in the buffer, from its start on. */
  int inside(Wave wave, long address, int bytes) {
    if (!buffer) {
      return bytes;
    }
    long start = wave.s64(base) & 0xffff_ffff_ffffL;
    int stride = wave.s[base + 1] >>> 16 & 0x3fff;
    long records = wave.s[base + 2] & 0xffffffffL;
    long size = stride == 0 ? records : records * stride;
    long left = size - (address - start);
    return address < start ? 0 : Math.clamp(left & ~3L, 0, bytes);
  }
}
