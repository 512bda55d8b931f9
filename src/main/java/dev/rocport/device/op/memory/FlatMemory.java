package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Op;
import java.util.Optional;

/** FLAT, GLOBAL and SCRATCH. */
final class FlatMemory {
  private FlatMemory() {}

  static Optional<Op> translate(Instruction instruction) {
    if (instruction.opcode().slots().isEmpty()) {
      return Optional.of(new NoOp(instruction)); // writes caches back, or invalidates them
    }
    if (!(instruction.modifiers() instanceof Modifiers.Memory modifiers)
        || modifiers.lds()
        || instruction.name().contains("_addtid_")) {
      return Optional.empty();
    }
    String name = instruction.name();
    String rest = name.substring(name.indexOf('_') + 1);
    VectorMemory op = new VectorMemory(instruction, "vdata", "vdst");
    Encoding encoding = instruction.opcode().encoding();
    return switch (encoding) {
      case GLOBAL ->
          op.in(GlobalSpace.of(instruction, modifiers), rest, modifiers.offset())
              .map(Op.class::cast);
      case SCRATCH ->
          op.in(ScratchSpace.of(instruction, modifiers), rest, modifiers.offset())
              .map(Op.class::cast);
      default -> flat(op, rest, modifiers);
    };
  }

  private static Optional<Op> flat(VectorMemory op, String name, Modifiers.Memory modifiers) {
    Rows address = Rows.required(op.instruction(), "vaddr");
    int offset = modifiers.offset();
    Space local = new LocalSpace(address.first(), offset);
    Space scratch = new ScratchSpace(address.first(), ScratchSpace.NONE, offset);
    return op.in(GlobalSpace.of(op.instruction(), modifiers), name, offset)
        .map(
            global ->
                new FlatOp(
                    op.instruction(),
                    address.first(),
                    offset,
                    global,
                    op.in(local, name, offset).orElseThrow(),
                    op.in(scratch, name, offset).orElseThrow()));
  }
}
