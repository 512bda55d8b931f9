package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;

/** Loads of scalar registers. */
final class ScalarLoad extends Op {
  private final ScalarAddress address;
  private final int dwords;
  private final int destination;

  ScalarLoad(Instruction instruction, ScalarAddress address, int dwords, int destination) {
    super(instruction);
    this.address = address;
    this.dwords = dwords;
    this.destination = destination;
  }

  @Override
  public List<Action> actions() {
    return List.of((wave, _) -> execute(wave));
  }

  @Override
  public void execute(Wave wave) {
    long at = address.of(wave, instruction(), 4 * dwords, Access.LOAD);
    int inside = at == Space.NOWHERE ? 0 : address.inside(wave, at, 4 * dwords) >> 2;
    int[] s = wave.s;
    int d = 0;
    for (; d + 1 < inside; d += 2) {
      // Two at a time: an aligned load of 64 bits is whole, also where another worker stores.
      wave.s64(destination + d, Memory.loadLong(at + 4L * d));
    }
    for (; d < dwords; d++) {
      s[destination + d] = d < inside ? Memory.loadInt(at + 4L * d) : 0;
    }
  }
}
