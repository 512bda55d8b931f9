package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Stepper;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;

/** Looks at each instruction of a wave while a question about it is open. */
final class Follower implements Stepper {
  /** Instructions after which a question is dropped. */
  private static final long PATIENCE = 4_000_000;

  /** The inline constant -1. */
  private static final Operand ALL = new Operand.Inline(193);

  private final WaveNotes notes;
  private final Accesses accesses = new Accesses();

  /** All lanes run, whatever the program's branches say: the compiler saves registers so. */
  private boolean wholeWave;

  private long steps;

  Follower(WaveNotes notes) {
    this.notes = notes;
  }

  @Override
  public void run(Wave wave, int budget) {
    for (int i = 0; i < budget && wave.state == WaveState.READY; i++) {
      if (notes.leftOut.isEmpty() || steps > PATIENCE) {
        wave.stepper = null;
        return;
      }
      step(wave);
    }
  }

  private void step(Wave wave) {
    steps++;
    int pc = wave.pc;
    Op op = wave.code.at(pc);
    Instruction instruction = op.instruction();
    long exec = wave.exec();
    boolean moves = Instructions.touchesMemory(instruction);
    if (moves) {
      accesses.begin(wave);
    }
    try {
      wave.run(1);
    } finally {
      if (moves) {
        accesses.end(wave);
      }
    }
    if (!wholeWave && (moves || wave.state == WaveState.BARRIER)) {
      long back = notes.leftOut.among(moves ? accesses.shared() : exec);
      if (back != 0) {
        notes.watch.goesOn(notes, wave, pc, back, instruction);
      }
    }
    if (Instructions.writesExec(instruction)) {
      wholeWave = instruction.operands().contains(ALL);
    }
  }
}
