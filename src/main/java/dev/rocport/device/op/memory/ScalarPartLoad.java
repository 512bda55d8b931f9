package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;

/** Loads of 8 or 16 bits to a scalar register, extended. */
final class ScalarPartLoad extends Op {
  private final ScalarAddress address;
  private final Width width;
  private final int destination;

  ScalarPartLoad(Instruction instruction, ScalarAddress address, Width width, int destination) {
    super(instruction);
    this.address = address;
    this.width = width;
    this.destination = destination;
  }

  @Override
  public List<Action> actions() {
    return List.of((wave, _) -> execute(wave));
  }

  @Override
  public void execute(Wave wave) {
    long at = address.of(wave, instruction(), width.bytes(), Access.LOAD);
    wave.s[destination] = width.load(at);
  }
}
