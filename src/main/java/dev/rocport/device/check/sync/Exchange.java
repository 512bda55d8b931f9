package dev.rocport.device.check.sync;

import dev.rocport.device.check.DppSources;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.op.memory.SwizzleLanes;
import dev.rocport.device.op.vector.RowPermutation;
import dev.rocport.device.wave.Wave;
import java.util.Optional;

/**
 * How an instruction moves values between lanes.
 *
 * @param names the lanes that lanes read
 * @param enabled the lanes that may read, before EXEC is asked
 * @param keeps a lane that reads no active lane is not written
 */
record Exchange(Names names, long enabled, boolean keeps) {
  /** Names the lane that a lane reads, active or not. */
  @FunctionalInterface
  interface Names {
    /** Of a lane of a wave; -1 for none. */
    int of(Wave wave, int lane);
  }

  /** Empty for an instruction that treats each lane separately. */
  static Optional<Exchange> of(Instruction instruction) {
    return DppSources.of(instruction.modifiers())
        .map(d -> new Exchange((_, lane) -> d.named(lane), d.enabled(), !d.boundControl()))
        .or(
            () ->
                instruction.modifiers() instanceof Modifiers.Memory memory
                    ? local(instruction, memory)
                    : permutation(instruction));
  }

  private static Optional<Exchange> local(Instruction instruction, Modifiers.Memory memory) {
    int offset = memory.offset();
    return switch (instruction.name()) {
      case "ds_swizzle_b32" ->
          Optional.of(new Exchange((_, lane) -> SwizzleLanes.source(offset, lane), -1L, false));
      case "ds_bpermute_b32" ->
          instruction.operand("addr") instanceof Operand.Vector(int register, _)
              ? Optional.of(new Exchange(named(register * Wave.LANES, offset), -1L, false))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Lanes that a register names by bytes. */
  private static Names named(int register, int offset) {
    return (wave, lane) -> (wave.v[register + lane] + offset) >>> 2 & (wave.lanes - 1);
  }

  private static Optional<Exchange> permutation(Instruction instruction) {
    return RowPermutation.of(instruction).map(p -> new Exchange(p::named, -1L, !p.boundControl()));
  }

  /** The lane that a lane reads, or -1. */
  int source(Wave wave, int lane) {
    return names.of(wave, lane);
  }

  /** The active lanes that may read a lane. */
  long readers(long exec) {
    return exec & enabled;
  }

  /** Row of bits: bit l of the result is bit {@code source(l)} of {@code lanes}. */
  long moved(Wave wave, long lanes) {
    long result = 0;
    for (int lane = 0; lane < wave.lanes; lane++) {
      int from = source(wave, lane);
      result |= from >= 0 && (lanes >>> from & 1) != 0 ? 1L << lane : 0;
    }
    return result;
  }
}
