package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.memory.ScratchDescriptor;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;

/**
 * A lane's scratch by byte: the sum of a vector register, a scalar one and a number, where an
 * instruction has them. {@link ScratchDescriptor} tells how it lies in memory.
 *
 * @param vaddr the index of lane 0 of the vector register, or NONE
 * @param saddr the code of the scalar register, or NONE
 */
record ScratchSpace(int vaddr, int saddr, int offset) implements Space {
  static final int NONE = -1;

  static ScratchSpace of(Instruction instruction, Modifiers.Memory modifiers) {
    return new ScratchSpace(
        Rows.in(instruction, "vaddr").map(Rows::first).orElse(NONE),
        instruction.operand("saddr") instanceof Operand.Scalar(int code, _) ? code : NONE,
        modifiers.offset());
  }

  @Override
  public int resolve(Wave wave, long lanes, int bytes, Access access, long[] addresses) {
    int start = (saddr == NONE ? 0 : wave.s[saddr]) + offset;
    if (vaddr == NONE) {
      return uniform(wave, lanes, start & 0xffffffffL, bytes, access, addresses);
    }
    int[] v = wave.v;
    for (int l = 0; l < Wave.LANES; l++) {
      addresses[l] = (v[vaddr + l] + start) & 0xffffffffL;
    }
    return place(wave, lanes, bytes, access, addresses);
  }

  /** Places an offset that is the same in all lanes. */
  static int uniform(
      Wave wave, long lanes, long offset, int bytes, Access access, long[] addresses) {
    if (offset > wave.scratchPerLane - bytes) {
      throw overflow(wave, offset, bytes, access).inLane(Long.numberOfTrailingZeros(lanes));
    }
    if (straddles(offset, bytes)) {
      Arrays.fill(addresses, offset);
      return SCATTERED;
    }
    long first = ScratchDescriptor.address(wave.scratch, offset, 0);
    for (int l = 0; l < Wave.LANES; l++) {
      addresses[l] = first + 4L * l;
    }
    return 4 * Wave.LANES;
  }

  /** Makes addresses of each lane's unsigned offset, as {@link Space#resolve} does. */
  static int place(Wave wave, long lanes, int bytes, Access access, long[] offsets) {
    long limit = (long) wave.scratchPerLane - bytes;
    long max = 0;
    long low = 0;
    for (long m = lanes; m != 0; m = Lanes.afterRun(m)) {
      int to = Lanes.end(m);
      for (int l = Lanes.start(m); l < to; l++) {
        max = Math.max(max, offsets[l]);
        low |= offsets[l];
      }
    }
    if (max > limit) {
      int lane = Long.numberOfTrailingZeros(lanes);
      while ((lanes >>> lane & 1) == 0 || offsets[lane] <= limit) {
        lane++;
      }
      throw overflow(wave, offsets[lane], bytes, access).inLane(lane);
    }
    // the bits of all lanes together straddle if those of any lane do
    if (straddles(low, bytes)) {
      return SCATTERED;
    }
    for (int l = 0; l < Wave.LANES; l++) {
      offsets[l] = ScratchDescriptor.address(wave.scratch, offsets[l], l);
    }
    return 4 * Wave.LANES;
  }

  private static boolean straddles(long offset, int bytes) {
    return (offset & 3) + Math.min(bytes, 4) > 4;
  }

  private static MemoryFault overflow(Wave wave, long offset, int bytes, Access access) {
    return new MemoryFault(
        access,
        offset,
        bytes,
        "scratch overflow: a lane has " + wave.scratchPerLane + " bytes of scratch");
  }

  @Override
  public long byteAddress(Wave wave, int lane, long offset) {
    return ScratchDescriptor.address(wave.scratch, offset, lane);
  }

  @Override
  public Kind kind() {
    return Kind.SCRATCH;
  }
}
