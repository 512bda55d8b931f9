package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Environment;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Optional;

/** SMEM. */
final class ScalarMemory {
  private ScalarMemory() {}

  static Optional<Op> translate(Instruction instruction) {
    String name = instruction.name();
    if (name.startsWith("s_dcache_")
        || name.equals("s_gl1_inv")
        || name.contains("_prefetch_")
        || name.startsWith("s_atc_probe")) {
      return Optional.of(new NoOp(instruction));
    }
    if (name.equals("s_memtime") || name.equals("s_memrealtime")) {
      return Optional.of(new Clock(instruction, register(instruction, "sdst")));
    }
    boolean buffer = name.startsWith("s_buffer_");
    String rest = name.substring(buffer ? 9 : 2);
    if (rest.startsWith("scratch_")
        || !(instruction.modifiers() instanceof Modifiers.Memory modifiers)) {
      return Optional.empty();
    }
    int soffset =
        instruction.operand("soffset") instanceof Operand.Scalar(int code, _)
            ? code
            : ScalarAddress.NONE;
    ScalarAddress address =
        new ScalarAddress(
            buffer, register(instruction, "sbase"), soffset, modifiers.offset(), new Permission());
    if (rest.startsWith("load_")) {
      Optional<Width> part = Width.of(rest.substring(5)).filter(w -> w.bytes() < 4);
      if (part.isPresent()) {
        // the manual does not say how bounds of buffers apply to parts of words
        return buffer
            ? Optional.empty()
            : Optional.of(
                new ScalarPartLoad(
                    instruction, address, part.get(), register(instruction, "sdst")));
      }
      return Width.of(rest.substring(5))
          .map(Width::dwords)
          .or(() -> scalarOnly(rest.substring(5)))
          .map(n -> new ScalarLoad(instruction, address, n, register(instruction, "sdst")));
    }
    if (rest.startsWith("store_")) {
      return Width.of(rest.substring(6))
          .map(w -> new ScalarStore(instruction, address, w, register(instruction, "sdata")));
    }
    return rest.startsWith("atomic_")
        ? atomic(instruction, address, rest.substring(7), modifiers.sc0())
        : Optional.empty();
  }

  private static Optional<Integer> scalarOnly(String width) {
    return switch (width) {
      case "dwordx8" -> Optional.of(8);
      case "dwordx16" -> Optional.of(16);
      default -> Optional.empty();
    };
  }

  private static Optional<Op> atomic(
      Instruction instruction, ScalarAddress address, String name, boolean returns) {
    int data = register(instruction, "sdata");
    boolean compares = name.startsWith("cmpswap");
    Optional<Op> narrow =
        IntUpdate.of(name)
            .map(
                u ->
                    new ScalarAtomic32(
                        instruction, address, u, data, compares ? data + 1 : data, returns));
    return narrow.isPresent()
        ? narrow
        : LongUpdate.of(name)
            .map(
                u ->
                    new ScalarAtomic64(
                        instruction, address, u, data, compares ? data + 2 : data, returns));
  }

  private static int register(Instruction instruction, String slot) {
    return instruction.operand(slot) instanceof Operand.Scalar(int code, _)
        ? code
        : failNoScalar(instruction, slot);
  }

  private static int failNoScalar(Instruction instruction, String slot) {
    throw new IllegalArgumentException(instruction + " has no scalar " + slot);
  }

  /** s_memtime: cycles of the GPU at its full rate; s_memrealtime: ticks of 100 MHz. */
  private static final class Clock extends Op {
    private final boolean real;
    private final int destination;

    Clock(Instruction instruction, int destination) {
      super(instruction);
      this.real = instruction.name().equals("s_memrealtime");
      this.destination = destination;
    }

    @Override
    public void execute(Wave wave) {
      Environment environment = wave.group.environment();
      wave.s64(
          destination,
          real ? environment.realTime() : environment.target().cycles(System.nanoTime()));
    }
  }
}
