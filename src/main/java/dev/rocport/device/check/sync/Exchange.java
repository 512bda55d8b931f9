package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.memory.SwizzleLanes;
import dev.rocport.device.op.vector.DppLanes;
import dev.rocport.device.wave.Wave;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How an instruction moves values between lanes. */
final class Exchange {
  private static final int ROW = 16;

  /** The lanes that each lane reads, -1 for none; null where registers tell. */
  private final int @Nullable [] fixed;

  /** The lanes that may read, before EXEC is asked. */
  private final long enabled;

  /** Of the registers that name lanes by bytes, where they do. */
  private final int address;

  private final int offset;

  private Exchange(int @Nullable [] fixed, long enabled, int address, int offset) {
    this.fixed = fixed;
    this.enabled = enabled;
    this.address = address;
    this.offset = offset;
  }

  /** Empty for an instruction that treats each lane separately. */
  static Optional<Exchange> of(Instruction instruction) {
    if (instruction.modifiers() instanceof Modifiers.Dpp dpp) {
      int[] sources = DppLanes.of(dpp.control());
      if (sources == null) {
        return Optional.empty();
      }
      long enabled = 0;
      for (int lane = 0; lane < Wave.LANES; lane++) {
        boolean in =
            (dpp.rowMask() >> (lane / ROW) & 1) != 0
                && (dpp.bankMask() >> (lane % ROW / 4) & 1) != 0;
        enabled |= in ? 1L << lane : 0;
      }
      return Optional.of(new Exchange(sources, enabled, 0, 0));
    }
    if (!(instruction.modifiers() instanceof Modifiers.Memory memory)) {
      return Optional.empty();
    }
    return switch (instruction.name()) {
      case "ds_swizzle_b32" -> {
        int[] sources = new int[Wave.LANES];
        for (int lane = 0; lane < Wave.LANES; lane++) {
          sources[lane] = SwizzleLanes.source(memory.offset(), lane);
        }
        yield Optional.of(new Exchange(sources, -1L, 0, 0));
      }
      case "ds_bpermute_b32" ->
          instruction.operand("addr") instanceof Operand.Vector(int register, _)
              ? Optional.of(new Exchange(null, -1L, register * Wave.LANES, memory.offset()))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** The lane that a lane reads, or -1. */
  int source(Wave wave, int lane) {
    return fixed != null
        ? fixed[lane]
        : ((wave.v[address + lane] + offset) >>> 2) & (Wave.LANES - 1);
  }

  /** The active lanes that may read a lane. */
  long readers(long exec) {
    return exec & enabled;
  }

  /** Row of bits: bit l of the result is bit {@code source(l)} of {@code lanes}. */
  long moved(Wave wave, long lanes) {
    long result = 0;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int from = source(wave, lane);
      result |= from >= 0 && (lanes >>> from & 1) != 0 ? 1L << lane : 0;
    }
    return result;
  }
}
