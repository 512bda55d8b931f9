package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** A vector instruction without modifiers that writes no scalar register: most are. */
final class PlainOp extends Op {
  private final Routine routine;
  private final Row d;
  private final Row a;
  private final Row b;
  private final Row c;
  private final int mask;

  PlainOp(Instruction instruction, Step step) {
    super(instruction);
    this.routine = step.routine();
    this.d = step.d();
    this.a = step.a();
    this.b = step.b();
    this.c = step.c();
    this.mask = step.mask();
  }

  @Override
  public void execute(Wave wave) {
    long exec = wave.exec();
    if (exec == 0) {
      return;
    }
    int[] x = a.array(wave);
    int[] y = b.array(wave);
    int[] z = c.array(wave);
    routine
        .kernel(wave.mode)
        .run(
            d.array(wave),
            d.offset,
            x,
            a.offset,
            y,
            b.offset,
            z,
            c.offset,
            mask < 0 ? 0 : wave.s64(mask),
            exec);
  }
}
