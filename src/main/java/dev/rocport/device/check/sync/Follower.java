package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Stepper;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import org.jspecify.annotations.Nullable;

/** Looks at each instruction of a wave while a question about it is open. */
final class Follower implements Stepper {
  /** Instructions after which a question is dropped. */
  private static final long PATIENCE = 4_000_000;

  /** The inline constant -1. */
  private static final Operand ALL = new Operand.Inline(193);

  private final WaveNotes notes;
  private final Accesses accesses = new Accesses();

  /** All lanes run, whatever the program's branches are: the compiler saves registers this way. */
  private boolean wholeWave;

  private long steps;

  Follower(WaveNotes notes) {
    this.notes = notes;
  }

  @Override
  public void run(Wave wave, int budget) {
    note(wave);
    for (int i = 0; i < budget && wave.state == WaveState.READY; i++) {
      Shadow shadow = notes.shadow;
      if (steps > PATIENCE) {
        notes.leftOut.clear();
        if (shadow != null) {
          shadow.clear();
        }
      }
      if (notes.leftOut.isEmpty() && (shadow == null || shadow.isEmpty())) {
        wave.stepper = null;
        return;
      }
      step(wave, shadow);
      note(wave);
    }
  }

  /** Takes in what the last instruction has brought from lanes that were not there. */
  private void note(Wave wave) {
    Origin origin = notes.fresh;
    if (origin == null) {
      return;
    }
    notes.fresh = null;
    Shadow shadow = notes.shadow;
    if (shadow == null) {
      shadow = new Shadow(wave);
      notes.shadow = shadow;
    }
    shadow.vector(
        new Operand.Vector(notes.freshTo, 1), 0, origin.readers(), origin.readers(), origin);
  }

  private void step(Wave wave, @Nullable Shadow shadow) {
    steps++;
    int pc = wave.pc;
    Op op = wave.code.at(pc);
    Instruction instruction = op.instruction();
    long exec = wave.exec();
    boolean moves = Instructions.touchesMemory(instruction);
    Flow flow = shadow == null || shadow.isEmpty() || wave.indexed ? null : new Flow(shadow);
    if (flow != null) {
      flow.branch(wave, instruction).ifPresent(u -> used(wave, pc, u));
      flow.before(wave, instruction);
    }
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
    if (flow != null && moves) {
      flow.after(instruction, accesses.all()).ifPresent(u -> used(wave, pc, u));
    }
    if (!wholeWave && (moves || wave.state == WaveState.BARRIER)) {
      long back = notes.leftOut.among(moves ? accesses.shared() : exec);
      if (back != 0) {
        notes.watch.goesOn(notes, wave, pc, back, instruction);
      }
    }
    if (Instructions.writesExec(instruction)) {
      wholeWave = instruction.operands().contains(ALL);
      if (!wholeWave) {
        notes.leftOut.run(wave.exec());
      }
    }
  }

  private void used(Wave wave, int pc, Flow.Use use) {
    notes.watch.usesAbsent(wave, pc, use);
    if (notes.shadow != null) {
      notes.shadow.clear();
    }
  }
}
