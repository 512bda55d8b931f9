package dev.rocport.device.op.memory;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;

/**
 * Buffers: a descriptor (V#) in four scalar registers says where and how the records lie. CDNA3
 * ISA, 9.1.5. The record count is in bytes, or with an index and a stride in strides; beyond it
 * loads give 0 and stores are dropped. On RDNA the descriptor says what is beyond; the scalar
 * offset does not count there (LLVM, intrinsics of raw and structured buffers).
 */
final class BufferSpace implements Space {
  private static final int NONE = -1;

  /** An offset that stays negative with that of any byte of an access. */
  private static final long OUTSIDE = Long.MIN_VALUE;

  /**
   * Compilers address scratch with offsets in VGPRs that are negative before the immediate one is
   * added; there is no range check that would stop them since gfx9.
   */
  private static final long WRAP = 0xffffffffL;

  private final int descriptor;
  private final int index;
  private final int voffset;
  private final int offset;
  private final int soffset;
  private final int constant;
  private final boolean rdna;

  /** Whether it is not known if the scalar offset counts for the bounds: RDNA 4. */
  private final boolean mayCountScalar;

  private final Permission permission = new Permission();

  private BufferSpace(
      int descriptor,
      int index,
      int voffset,
      int offset,
      int soffset,
      int constant,
      Generation generation) {
    this.descriptor = descriptor;
    this.index = index;
    this.voffset = voffset;
    this.offset = offset;
    this.soffset = soffset;
    this.constant = constant;
    this.rdna = generation != Generation.CDNA;
    this.mayCountScalar = generation == Generation.RDNA4;
  }

  static BufferSpace of(Instruction instruction, Modifiers.Memory modifiers) {
    int vaddr = Rows.in(instruction, "vaddr").map(Rows::first).orElse(NONE);
    if (!(instruction.operand("srsrc") instanceof Operand.Scalar(int descriptor, _))) {
      throw new IllegalArgumentException(instruction + " has no descriptor");
    }
    int soffset = NONE;
    int constant = 0;
    if (instruction.operand("soffset") instanceof Operand.Scalar(int code, _)) {
      soffset = code == Operand.NULL ? NONE : code;
    } else {
      constant = (int) DataType.U32.constant(instruction.operand("soffset"));
    }
    int afterIndex = modifiers.idxen() ? vaddr + Wave.LANES : vaddr;
    return new BufferSpace(
        descriptor,
        modifiers.idxen() ? vaddr : NONE,
        modifiers.offen() ? afterIndex : NONE,
        modifiers.offset(),
        soffset,
        constant,
        instruction.opcode().generation());
  }

  @Override
  public int resolve(Wave wave, long lanes, int bytes, Access access, long[] addresses) {
    Descriptor d = new Descriptor(wave.s, descriptor, rdna);
    long scalar = soffset == NONE ? constant & 0xffffffffL : wave.s[soffset] & 0xffffffffL;
    long start = d.base() + scalar;
    boolean ofThread = index == NONE && d.isScratchLike() && d.inScratch(wave);
    if (ofThread) {
      long wide = start - wave.scratch;
      if ((wide & (4 * Wave.LANES - 1)) == 0) {
        int stride = scratch(wave, lanes, bytes, access, addresses, wide / Wave.LANES);
        if (stride != SCATTERED) {
          return stride;
        }
      }
    }
    int[] v = wave.v;
    long[] indices = wave.temporaries.values;
    for (int l = 0; l < Wave.LANES; l++) {
      addresses[l] = offset + (voffset == NONE ? 0 : v[voffset + l] & 0xffffffffL);
      if (ofThread) {
        addresses[l] &= WRAP;
      }
      indices[l] = (index == NONE ? 0 : v[index + l] & 0xffffffffL) + (d.addsThread() ? l : 0);
    }
    if (mayCountScalar && scalar != 0) {
      requireSameBounds(d, lanes, bytes, scalar, addresses, indices);
    }
    if (!d.swizzled() && wholly(d, lanes, bytes, scalar, addresses, indices)) {
      for (int l = 0; l < Wave.LANES; l++) {
        addresses[l] += start + indices[l] * d.stride();
      }
      permission.require(wave, lanes, bytes, access, addresses);
      return 4;
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      if (rdna && !d.holdsWhole(indices[lane], addresses[lane] + bytes - 1)) {
        addresses[lane] = OUTSIDE;
      }
      for (int b = 0; b < bytes; b++) {
        long address = byteAddress(wave, lane, addresses[lane] + b);
        if (address != NOWHERE && !d.inScratch(wave, address)) {
          requireByte(wave, lane, address, access);
        }
      }
    }
    return SCATTERED;
  }

  private void requireByte(Wave wave, int lane, long address, Access access) {
    try {
      permission.require(wave, address, 1, access);
    } catch (MemoryFault fault) {
      throw fault.inLane(lane);
    }
  }

  private int scratch(
      Wave wave, long lanes, int bytes, Access access, long[] addresses, long start) {
    if (voffset == NONE) {
      return ScratchSpace.uniform(wave, lanes, start + offset, bytes, access, addresses);
    }
    for (int l = 0; l < Wave.LANES; l++) {
      addresses[l] = start + ((wave.v[voffset + l] + offset) & WRAP);
    }
    return ScratchSpace.place(wave, lanes, bytes, access, addresses);
  }

  /** Stops where the bounds decide otherwise if the scalar offset counts than if it does not. */
  private static void requireSameBounds(
      Descriptor d, long lanes, int bytes, long scalar, long[] offsets, long[] indices) {
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long last = offsets[lane] + bytes - 1;
      if (d.holdsWhole(indices[lane], last) != d.holdsWhole(indices[lane], last + scalar)) {
        throw WaveTrap.missing(
            "this device does not know whether a scalar offset counts for the bounds of a buffer on"
                + " RDNA 4, and lane "
                + lane
                + " is within them only if it does not");
      }
    }
  }

  private boolean wholly(
      Descriptor d, long lanes, int bytes, long scalar, long[] offsets, long[] indices) {
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      if (rdna) {
        if (!d.holdsWhole(indices[lane], offsets[lane] + bytes - 1)) {
          return false;
        }
      } else if (!d.holds(index != NONE, indices[lane], offsets[lane] + bytes - 1, scalar)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long byteAddress(Wave wave, int lane, long at) {
    Descriptor d = new Descriptor(wave.s, descriptor, rdna);
    long scalar = soffset == NONE ? constant & 0xffffffffL : wave.s[soffset] & 0xffffffffL;
    long number = wave.temporaries.values[lane];
    if (rdna) {
      return at >= 0 ? d.base() + scalar + d.place(number, at) : NOWHERE;
    }
    return d.holds(index != NONE, number, at, scalar)
        ? d.base() + scalar + d.place(number, at)
        : NOWHERE;
  }

  @Override
  public Kind kind() {
    return Kind.GLOBAL;
  }
}
