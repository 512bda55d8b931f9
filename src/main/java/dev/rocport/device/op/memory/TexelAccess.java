package dev.rocport.device.op.memory;

import dev.rocport.device.image.TexelCodec;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.List;

/** Accesses that convert formats: of images, and of buffers with formats. */
abstract class TexelAccess extends LaneOp {
  private static final int SELECT_ONE = 1;
  private static final int FIRST_COMPONENT = 4;

  private final Permission permission = new Permission();

  TexelAccess(Instruction instruction) {
    super(instruction);
  }

  @Override
  public List<Action> actions() {
    return plainly();
  }

  /** Requires that a lane may access a texel, and tells the observer of it. */
  final void touch(Wave wave, int lane, long address, int bytes, Access access) {
    try {
      permission.require(wave, address, bytes, access);
    } catch (MemoryFault fault) {
      throw fault.inLane(lane);
    }
    AccessObserver observer = wave.observer;
    if (observer != null) {
      long[] addresses = wave.temporaries.values;
      addresses[lane] = address;
      observer.lanes(
          wave,
          instruction(),
          new MemoryAccess(Kind.GLOBAL, access, 1L << lane, bytes, addresses, 4));
    }
  }

  /** Stops the wave at something that GPUs have and this device does not. */
  final WaveTrap missing(String what) {
    return WaveTrap.missing(
        "this device does not run " + instruction().opcode().mnemonic() + " with " + what);
  }

  /** The codec of a format. */
  final TexelCodec codec(int format, boolean stores) {
    TexelCodec codec = TexelCodec.of(format).orElseThrow(() -> missing("format " + format));
    if (stores && !TexelCodec.stores(codec.format())) {
      throw missing("stores of " + codec.format().name());
    }
    return codec;
  }

  /** The component of a result, by a field of a descriptor. */
  static int selected(int select, int component, int[] texel, int one) {
    int from = select >>> (3 * component) & 7;
    return from >= FIRST_COMPONENT ? texel[from - FIRST_COMPONENT] : from == SELECT_ONE ? one : 0;
  }

  /**
   * Fills components that an instruction does not store: RDNA 3 takes 0, RDNA 4 the first one
   * (LLVM, features default-component-zero and default-component-broadcast).
   *
   * @param set bit i: component i is stored
   */
  final void fill(int[] values, int set) {
    int other =
        instruction().opcode().generation() == Generation.RDNA4
            ? values[Integer.numberOfTrailingZeros(set)]
            : 0;
    for (int c = 0; c < values.length; c++) {
      values[c] = (set >>> c & 1) == 0 ? other : values[c];
    }
  }
}
