package dev.rocport.device.check.uninit;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;

/** Buffer accesses to scratch whose bytes are not contiguous; reported by offsets. */
final class BufferScratch {
  private static final long ADDRESS = 0xffff_ffff_ffffL;

  private BufferScratch() {}

  /** Where the descriptor of an access begins in a wave's scratch, in bytes of the wave. */
  private static long start(Wave wave, Instruction instruction) {
    if (!(instruction.operand("srsrc") instanceof Operand.Scalar(int descriptor, int _))) {
      return -1;
    }
    Operand soffset = instruction.operand("soffset");
    long add =
        soffset instanceof Operand.Scalar(int code, int _)
            ? wave.s[code] & 0xffffffffL
            : DataType.U32.constant(soffset);
    return (wave.s64(descriptor) & ADDRESS) + add - wave.scratch;
  }

  static boolean is(Wave wave, Instruction instruction) {
    if (wave.scratch == 0 || !instruction.name().startsWith("buffer_")) {
      return false;
    }
    long start = start(wave, instruction);
    return start >= 0
        && start < (long) wave.scratchPerLane * Wave.LANES
        && start % (4 * Wave.LANES) == 0;
  }

  /** Returns the access by the offsets of the lanes, each in its own scratch. */
  static MemoryAccess access(Wave wave, Instruction instruction, MemoryAccess told) {
    long first = start(wave, instruction) / Wave.LANES;
    long[] offsets = new long[Wave.LANES];
    for (int l = 0; l < Wave.LANES; l++) {
      offsets[l] = first + (told.addresses()[l] & 0xffffffffL);
    }
    return new MemoryAccess(Kind.SCRATCH, told.access(), told.lanes(), told.bytes(), offsets, 0);
  }
}
