package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import java.util.Optional;

/**
 * The operation of a vector memory instruction, for any space.
 *
 * @param data the slot of what is stored
 * @param result the slot of what is loaded or returned
 */
record VectorMemory(Instruction instruction, String data, String result) {

  /**
   * @param name the mnemonic without the prefix of its encoding: {@code load_dword}
   * @param offset what a load to LDS adds to M0
   */
  Optional<LaneOp> in(Space space, String name, int offset) {
    if (name.startsWith("load_lds_")) {
      return Width.of(name.substring(9)).map(w -> new LoadToLocal(instruction, space, w, offset));
    }
    if (name.startsWith("load_")) {
      return Width.of(name.substring(5))
          .map(w -> new Load(instruction, space, w, Rows.required(instruction, result)));
    }
    if (name.startsWith("store_")) {
      return Width.of(name.substring(6))
          .map(w -> new Store(instruction, space, w, Rows.required(instruction, data)));
    }
    if (name.startsWith("atomic_")) {
      return atomic(space, name.substring(7));
    }
    return Optional.empty();
  }

  private Optional<LaneOp> atomic(Space space, String name) {
    Rows rows = Rows.required(instruction, data);
    Optional<Rows> returned =
        instruction.modifiers() instanceof Modifiers.Memory m && m.sc0()
            ? Rows.in(instruction, result)
            : Optional.empty();
    // the new value comes first, then what to compare with
    boolean compares = name.startsWith("cmpswap");
    Optional<LaneOp> narrow =
        IntUpdate.of(name)
            .map(
                u ->
                    new Atomic32(
                        instruction, space, u, rows, compares ? rows.after(1) : rows, returned));
    return narrow.isPresent()
        ? narrow
        : LongUpdate.of(name)
            .map(
                u ->
                    new Atomic64(
                        instruction, space, u, rows, compares ? rows.after(2) : rows, returned));
  }
}
