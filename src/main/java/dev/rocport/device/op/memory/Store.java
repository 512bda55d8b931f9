package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Wave;
import java.util.List;

/** Stores of vector registers. Where lanes store to one place, the highest lane's value stays. */
final class Store extends LaneOp {
  final Space space;
  final Width width;
  final Rows source;

  Store(Instruction instruction, Space space, Width width, Rows source) {
    super(instruction);
    this.space = space;
    this.width = width;
    this.source = source;
  }

  @Override
  public List<Action> actions() {
    if (width.bytes() < 4 || !(space instanceof LinearSpace linear)) {
      return plainly();
    }
    Moving.warm();
    return List.of(new Linear(this, linear, width.dwords(), source));
  }

  /** Of dwords at once, as far as {@link Moves} goes. */
  private record Linear(Store store, LinearSpace space, int dwords, Rows source) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      if (exec == 0) {
        return;
      }
      int bytes = 4 * dwords;
      if (wave.observer == null) {
        if (moves(wave, exec)) {
          space.count(wave, exec, bytes, Access.STORE);
        } else {
          store.run(wave, exec);
        }
        return;
      }
      long[] addresses = wave.temporaries.addresses;
      int stride = store.resolve(space, wave, exec, bytes, Access.STORE, addresses);
      if (!moves(wave, exec)) {
        store.move(wave, exec, addresses, stride);
      }
    }

    private boolean moves(Wave wave, long exec) {
      LinearSpace.Window window = space.window(wave, exec, 4 * dwords, Access.STORE);
      return window != null
          && Moves.store(
              wave.v,
              space.row(),
              space.add(),
              window.low(),
              window.limit(),
              window.base(),
              source.of(wave),
              source.first(),
              dwords,
              exec);
    }
  }

  @Override
  void run(Wave wave, long lanes) {
    long[] addresses = wave.temporaries.addresses;
    move(
        wave,
        lanes,
        addresses,
        resolve(space, wave, lanes, width.bytes(), Access.STORE, addresses));
  }

  /** Stores to where the lanes' bytes were found to be. */
  void move(Wave wave, long lanes, long[] addresses, int stride) {
    int[] registers = source.of(wave);
    int first = source.first();
    if (stride == Space.SCATTERED) {
      scattered(wave, lanes, addresses, registers);
    } else if (width.bytes() < 4) {
      for (long m = lanes; m != 0; m = Lanes.afterRun(m)) {
        int to = Lanes.end(m);
        for (int l = Lanes.start(m); l < to; l++) {
          width.store(addresses[l], registers[first + l]);
        }
      }
    } else {
      Transfer.store(addresses, stride, width.dwords(), lanes, registers, first);
    }
  }

  private void scattered(Wave wave, long lanes, long[] offsets, int[] registers) {
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      for (int d = 0; d < width.dwords(); ) {
        long offset = offsets[lane] + 4L * d;
        int at = source.first() + d * Wave.LANES + lane;
        long pair = d + 1 < width.dwords() ? space.together(wave, lane, offset, 8) : Space.NOWHERE;
        if (pair != Space.NOWHERE) {
          Transfer.store(pair, 2, registers, at);
          d += 2;
        } else {
          scattered(wave, lane, offset, registers[at]);
          d++;
        }
      }
    }
  }

  private void scattered(Wave wave, int lane, long offset, int register) {
    int bytes = Math.min(4, width.bytes());
    long whole = space.together(wave, lane, offset, bytes);
    if (whole != Space.NOWHERE) {
      width.store(whole, register);
      return;
    }
    int value = width.part(register);
    for (int b = 0; b < bytes; b++) {
      long address = space.byteAddress(wave, lane, offset + b);
      if (address != Space.NOWHERE) {
        Memory.storeByte(address, (byte) (value >>> (8 * b)));
      }
    }
  }
}
