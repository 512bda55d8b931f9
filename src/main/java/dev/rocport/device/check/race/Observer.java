package dev.rocport.device.check.race;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.Wave;

/** Hands accesses to the workgroup they belong to. */
final class Observer implements AccessObserver {
  /** Two that both want to know. */
  record Both(AccessObserver first, AccessObserver second) implements AccessObserver {
    @Override
    public void lanes(
        Wave wave,
        Instruction instruction,
        Kind kind,
        Access access,
        long lanes,
        int bytes,
        long[] addresses,
        int stride) {
      first.lanes(wave, instruction, kind, access, lanes, bytes, addresses, stride);
      second.lanes(wave, instruction, kind, access, lanes, bytes, addresses, stride);
    }

    @Override
    public void scalar(Wave wave, Instruction instruction, Access access, long address, int bytes) {
      first.scalar(wave, instruction, access, address, bytes);
      second.scalar(wave, instruction, access, address, bytes);
    }
  }

  @Override
  public void lanes(
      Wave wave,
      Instruction instruction,
      Kind kind,
      Access access,
      long lanes,
      int bytes,
      long[] addresses,
      int stride) {
    if (!(wave.race instanceof WaveClock clock)) {
      return;
    }
    if (kind != Kind.SCRATCH && stride != 0) {
      int pc = wave.pc - (instruction.size() >> 2);
      boolean atomic = access == Access.ATOMIC || (kind == Kind.GLOBAL && isScoped(instruction));
      clock.group.access.run(clock, pc, kind, access, atomic, lanes, bytes, addresses);
    }
    Encoding encoding = instruction.opcode().encoding();
    clock.issued(encoding != Encoding.DS, encoding == Encoding.DS || encoding == Encoding.FLAT);
  }

  @Override
  public void scalar(Wave wave, Instruction instruction, Access access, long address, int bytes) {
    if (wave.race instanceof WaveClock clock) {
      clock.issued(false, true);
    }
  }

  /** Whether a load or store has a bit that makes it coherent in some scope. */
  static boolean isScoped(Instruction instruction) {
    return instruction.modifiers() instanceof Modifiers.Memory m && (m.sc0() || m.sc1());
  }
}
