package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Op;
import java.util.Optional;

/** MUBUF. */
final class BufferMemory {
  private BufferMemory() {}

  static Optional<Op> translate(Instruction instruction) {
    String name = instruction.name().substring("buffer_".length());
    if (name.startsWith("wb") || name.startsWith("inv") || name.matches("gl[01]_inv")) {
      return Optional.of(new NoOp(instruction));
    }
    if (!(instruction.modifiers() instanceof Modifiers.Memory modifiers)) {
      return Optional.empty();
    }
    if (name.contains("format")) {
      return TypedBuffer.of(instruction).map(Op.class::cast);
    }
    String kind = modifiers.lds() ? name.replaceFirst("load_", "load_lds_") : name;
    return new VectorMemory(instruction, "vdata", "vdata")
        .in(BufferSpace.of(instruction, modifiers), kind, modifiers.offset())
        .map(Op.class::cast);
  }
}
