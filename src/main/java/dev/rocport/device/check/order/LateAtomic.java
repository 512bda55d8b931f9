package dev.rocport.device.check.order;

import dev.rocport.device.op.memory.AtomicAccess;
import dev.rocport.device.wave.Wave;

/** An atomic operation that changes memory at some time before the s_waitcnt that waits for it. */
final class LateAtomic extends Late {
  private final ComputeUnit unit;
  private final History history;
  private final AtomicAccess access;
  private final Writer writer;

  LateAtomic(ComputeUnit unit, History history, AtomicAccess access, Writer writer) {
    this.unit = unit;
    this.history = history;
    this.access = access;
    this.writer = writer;
    long[] addresses = new long[Wave.LANES];
    for (int l = 0; l < Wave.LANES; l++) {
      addresses[l] = access.address(l);
    }
    spans(access.lanes(), addresses, access.bytes());
  }

  @Override
  void work() {
    for (long m = access.lanes(); m != 0; m &= m - 1) {
      unit.giveUp(access.address(Long.numberOfTrailingZeros(m)) >>> 6);
    }
    access.perform();
    for (long m = access.lanes(); m != 0; m &= m - 1) {
      long address = access.address(Long.numberOfTrailingZeros(m));
      history.changed(
          address >>> 6, Bytes.mask((int) address & Lines.BYTES - 1, access.bytes()), writer);
    }
    writer.from().launch.maybeMet(unit, this);
  }

  @Override
  void deliver() {
    access.deliver();
  }

  @Override
  boolean writes(int[] registers, int from, int to) {
    return access.writes(registers, from, to);
  }
}
