package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Op;
import java.util.Optional;

/** DS: LDS, exchanges between lanes, and the grid barrier. */
final class LocalMemory {
  private LocalMemory() {}

  static Optional<Op> translate(Instruction instruction) {
    if (!(instruction.modifiers() instanceof Modifiers.Memory modifiers)) {
      return Optional.empty();
    }
    String name = instruction.name().substring("ds_".length());
    int offset = modifiers.offset();
    return switch (name) {
      case "nop" -> Optional.of(new NoOp(instruction));
      case "swizzle_b32" -> Optional.of(new Swizzle(instruction, offset));
      case "permute_b32" -> Optional.of(new Permute(instruction, offset));
      case "bpermute_b32" -> Optional.of(new BackwardPermute(instruction, offset));
      case "gws_init" -> Optional.of(new GridBarrierInit(instruction));
      case "gws_barrier" -> Optional.of(new GridBarrier(instruction));
      case "append" -> Optional.of(new Append(instruction, offset, 1));
      case "consume" -> Optional.of(new Append(instruction, offset, -1));
      case "read_addtid_b32" ->
          Optional.of(
              new Load(
                  instruction,
                  new LocalThreadSpace(offset),
                  Width.DWORD,
                  Rows.required(instruction, "vdst")));
      case "write_addtid_b32" ->
          Optional.of(
              new Store(
                  instruction,
                  new LocalThreadSpace(offset),
                  Width.DWORD,
                  Rows.required(instruction, "data0")));
      default -> modifiers.gds() ? Optional.empty() : access(instruction, name, modifiers);
    };
  }

  private static Optional<Op> access(
      Instruction instruction, String name, Modifiers.Memory modifiers) {
    if (name.startsWith("gws_")) {
      return Optional.empty();
    }
    int address = Rows.required(instruction, "addr").first();
    int underscore = name.indexOf('_');
    String verb = name.substring(0, underscore);
    if (verb.startsWith("read2") || verb.startsWith("write2") || verb.startsWith("wrxchg2")) {
      int element = (name.endsWith("b64") ? 8 : 4) * (verb.endsWith("st64") ? 64 : 1);
      Space first = new LocalSpace(address, modifiers.offset() * element);
      Space second = new LocalSpace(address, modifiers.offset1() * element);
      return Optional.of(new TwoPlaces(instruction, first, second, verb, name.endsWith("b64")));
    }
    Space space = new LocalSpace(address, modifiers.offset());
    String rest = name.substring(underscore + 1);
    return switch (verb) {
      case "read" ->
          TransposedLoad.isOne(instruction.name())
              ? Optional.of(TransposedLoad.of(instruction, space))
              : Width.of(rest)
                  .map(w -> new Load(instruction, space, w, Rows.required(instruction, "vdst")));
      case "write" ->
          Width.of(rest)
              .map(w -> new Store(instruction, space, w, Rows.required(instruction, "data0")));
      default -> atomic(instruction, space, name);
    };
  }

  private static Optional<Op> atomic(Instruction instruction, Space space, String name) {
    String update = name.replace("_rtn_", "_");
    Rows data = Rows.required(instruction, "data0");
    Optional<Rows> result =
        name.contains("_rtn_") ? Rows.in(instruction, "vdst") : Optional.empty();
    boolean two = instruction.opcode().has("data1");
    Rows second = two ? Rows.required(instruction, "data1") : data;
    Optional<Op> narrow =
        IntUpdate.of(update).map(u -> new Atomic32(instruction, space, u, data, second, result));
    return narrow.isPresent()
        ? narrow
        : LongUpdate.of(update).map(u -> new Atomic64(instruction, space, u, data, second, result));
  }
}
