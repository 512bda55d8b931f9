package dev.rocport.device.check.race;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The values that a store is about to store. */
final class Stored {
  private static final int MOST_PAUSES = 20;

  /** Naps after those, in case the other thread does not run at this moment. */
  private static final int MOST_NAPS = 400;

  /** Nanoseconds. */
  private static final long NAP = 50_000;

  private Stored() {}

  /**
   * Whether memory holds already what a lane stores there. Who stored the same before may not have
   * done it yet, on another thread: that is waited for, for a moment.
   *
   * @param address where the lane's store begins
   * @param from the first byte of it that counts
   * @param to the first that does not
   */
  static boolean isThere(Wave wave, Instruction store, int lane, long address, int from, int to) {
    for (int i = 0; i < MOST_PAUSES; i++) {
      if (same(wave, store, lane, address, from, to)) {
        return true;
      }
      Thread.onSpinWait();
    }
    for (int i = 0; i < MOST_NAPS; i++) {
      LockSupport.parkNanos(NAP);
      if (same(wave, store, lane, address, from, to)) {
        return true;
      }
    }
    return false;
  }

  private static boolean same(
      Wave wave, Instruction store, int lane, long address, int from, int to) {
    boolean any = false;
    for (int n = 0; n < store.operands().size(); n++) {
      if (store.opcode().slots().get(n).name().contains("data")) {
        any |= same(wave, store, store.operands().get(n), lane, address, from, to);
      }
    }
    return any;
  }

  private static boolean same(
      Wave wave, Instruction store, Operand data, int lane, long address, int from, int to) {
    for (int b = from; b < to; b++) {
      if (Memory.loadByte(address + b) != octet(wave, store, data, lane, b)) {
        return false;
      }
    }
    return true;
  }

  /** What a store of one piece per lane stores; null for others. */
  static @Nullable Operand onlyData(Instruction store) {
    Operand found = null;
    for (int n = 0; n < store.operands().size(); n++) {
      if (store.opcode().slots().get(n).name().contains("data")) {
        if (found != null) {
          return null;
        }
        found = store.operands().get(n);
      }
    }
    return found;
  }

  /** Whether all of an access is a store of what memory holds already. */
  static boolean changesNothing(Wave wave, Instruction store, MemoryAccess memory) {
    Operand data = memory.stride() == Integer.BYTES ? onlyData(store) : null;
    if (data == null) {
      return false;
    }
    for (long m = memory.lanes(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      if (!same(wave, store, data, lane, memory.addresses()[lane], 0, memory.bytes())) {
        return false;
      }
    }
    return true;
  }

  /** Whether two lanes store the same. */
  static boolean agree(Wave wave, Instruction store, Operand data, int lane, int other, int bytes) {
    for (int b = 0; b < bytes; b++) {
      if (octet(wave, store, data, lane, b) != octet(wave, store, data, other, b)) {
        return false;
      }
    }
    return true;
  }

  /** A byte of what a lane stores. */
  static byte octet(Wave wave, Instruction store, Operand data, int lane, int number) {
    int word =
        switch (data) {
          case Operand.Vector(int register, _) ->
              wave.v[(register + number / 4) * Wave.LANES + lane];
          case Operand.Accumulator(int register, _) ->
              wave.a[(register + number / 4) * Wave.LANES + lane];
          default -> 0;
        };
    int part = store.name().endsWith("_d16_hi") ? word >>> 16 : word;
    return (byte) (part >>> (8 * (number % 4)));
  }
}
