package dev.rocport.device.check.sync;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** A shuffle that looks whether the lanes that are read take part. */
final class ExchangeOp extends AroundOp {
  private final Exchange exchange;
  private final int to;

  /**
   * @param to the vector register that the values go to
   */
  private ExchangeOp(Op plain, Exchange exchange, int to) {
    super(plain);
    this.exchange = exchange;
    this.to = to;
  }

  /** Wraps an operation; returns the operation itself if it is not a shuffle. */
  static Op around(Op plain) {
    return Exchange.of(plain.instruction())
        .filter(_ -> target(plain) >= 0)
        .<Op>map(e -> new ExchangeOp(plain, e, target(plain)))
        .orElse(plain);
  }

  private static int target(Op op) {
    return !op.instruction().operands().isEmpty()
            && op.instruction().operands().getFirst() instanceof Operand.Vector(int register, _)
        ? register
        : -1;
  }

  @Override
  public void execute(Wave wave) {
    long exec = wave.exec();
    if (Long.bitCount(exec) != wave.lanes && exec != 0 && wave.sync instanceof WaveNotes notes) {
      look(wave, exec, notes);
    }
    plain.execute(wave);
  }

  private void look(Wave wave, long exec, WaveNotes notes) {
    long readers = 0;
    long sources = 0;
    for (long m = exchange.readers(exec); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      int from = exchange.source(wave, lane);
      if (from >= 0 && (exec >>> from & 1) == 0) {
        readers |= 1L << lane;
        sources |= 1L << from;
      }
    }
    if (readers != 0) {
      notes.absent(wave, new Origin(wave.pc - 1, readers, sources), to);
    }
  }
}
