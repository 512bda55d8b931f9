package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The accesses of one instruction. */
final class Accesses implements AccessObserver {
  /**
   * One access.
   *
   * @param lanes that take part
   * @param bytes of each
   * @param addresses of each lane
   * @param stride as in {@link MemoryAccess}
   * @param contents of the memory before, in short; 0 for scratch
   */
  record One(
      Kind kind,
      Access access,
      long lanes,
      int bytes,
      long[] addresses,
      int stride,
      long contents) {
    static One of(MemoryAccess memory, long contents) {
      return new One(
          memory.kind(),
          memory.access(),
          memory.lanes(),
          memory.bytes(),
          memory.addresses().clone(),
          memory.stride(),
          contents);
    }
  }

  private final List<One> all = new ArrayList<>();
  private @Nullable AccessObserver before;

  /** Listens to a wave, beside who does already. */
  void begin(Wave wave) {
    all.clear();
    before = wave.observer;
    wave.observe(this);
  }

  void end(Wave wave) {
    wave.observer = before;
  }

  List<One> all() {
    return all;
  }

  /** The lanes that touched memory that other lanes see. */
  long shared() {
    long lanes = 0;
    for (One a : all) {
      lanes |= a.kind() == Kind.SCRATCH ? 0 : a.lanes();
    }
    return lanes;
  }

  @Override
  public void lanes(Wave wave, Instruction instruction, MemoryAccess memory) {
    boolean unseen = memory.kind() == Kind.SCRATCH || memory.stride() == 0;
    long contents = unseen ? 0 : Spin.contents(memory.lanes(), memory.bytes(), memory.addresses());
    all.add(One.of(memory, contents));
  }

  @Override
  public void scalar(Wave wave, Instruction instruction, Access access, long address, int bytes) {}
}
