package dev.rocport.device.check.race;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;

/** Hands accesses to the workgroup they belong to. */
final class Observer implements AccessObserver {
  private final Reaches reaches;

  Observer(Reaches reaches) {
    this.reaches = reaches;
  }

  @Override
  public void lanes(Wave wave, Instruction instruction, MemoryAccess memory) {
    if (!(wave.race instanceof WaveClock clock)) {
      return;
    }
    Kind kind = memory.kind();
    boolean gives =
        memory.access() == Access.LOAD
            || (memory.access() == Access.ATOMIC && returns(instruction));
    if (kind != Kind.SCRATCH && memory.stride() != 0) {
      Access access = memory.access();
      int pc = wave.pc - (instruction.size() >> 2);
      SyncScope reach =
          access == Access.ATOMIC
              ? SyncScope.GPU
              : kind == Kind.GLOBAL
                  ? reaches.of(pc, instruction, access == Access.STORE, wave.code)
                  : access == Access.LOAD
                      ? reaches.ofLocalLoad(pc, instruction, wave.code)
                      : SyncScope.PLAIN;
      clock.group.access.run(clock, pc, instruction, reach, gives, memory);
    }
    Encoding encoding = instruction.opcode().encoding();
    boolean vector = encoding != Encoding.DS;
    clock.issued(vector, vector && !gives, !vector || encoding == Encoding.FLAT);
  }

  @Override
  public void scalar(Wave wave, Instruction instruction, Access access, long address, int bytes) {
    if (wave.race instanceof WaveClock clock) {
      // RDNA 4 counts them apart
      clock.issued(false, false, instruction.opcode().generation() != Generation.RDNA4);
    }
  }

  /** Whether an update gives its wave the old value. */
  private static boolean returns(Instruction instruction) {
    return instruction.opcode().encoding() == Encoding.DS
        ? instruction.name().contains("_rtn_")
        : instruction.modifiers() instanceof Modifiers.Memory m && m.sc0();
  }
}
