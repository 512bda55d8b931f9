package dev.rocport.device.check.race;

import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;

/** How far an access is coherent. */
enum SyncScope {
  /** No atomic at all. */
  PLAIN,
  /** An atomic of the workgroup's scope, or what can only be one. */
  GROUP,
  /** An atomic that all of the GPU sees, or more. */
  GPU,
  /** The code does not tell. */
  UNKNOWN;

  /** What the bits of an instruction say; plain where it has none. */
  static SyncScope ofBits(Instruction instruction) {
    if (!(instruction.modifiers() instanceof Modifiers.Memory m)) {
      return PLAIN;
    }
    if (instruction.opcode().generation() == Generation.RDNA4) {
      return m.scope() > 1 ? GPU : m.scope() == 1 ? GROUP : PLAIN;
    }
    return m.sc1() ? GPU : m.sc0() ? GROUP : PLAIN;
  }
}
