package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Wave;
import java.util.List;

/** Loads of vector registers. */
final class Load extends LaneOp {
  final Space space;
  final Width width;
  final Rows destination;

  private final int kept;

  Load(Instruction instruction, Space space, Width width, Rows destination) {
    super(instruction);
    this.space = space;
    this.width = width;
    this.destination = destination;
    this.kept = width.kept(instruction.opcode().generation());
  }

  @Override
  public List<Action> actions() {
    if (width.bytes() < 4 || !(space instanceof LinearSpace linear)) {
      return plainly();
    }
    Moving.warm();
    return List.of(new Linear(this, linear, width.dwords(), destination));
  }

  /** Of dwords at once, as far as {@link Moves} goes. */
  private record Linear(Load load, LinearSpace space, int dwords, Rows destination)
      implements Action {
    @Override
    public void run(Wave wave, long exec) {
      if (exec == 0) {
        return;
      }
      int bytes = 4 * dwords;
      if (wave.observer == null) {
        if (moves(wave, exec)) {
          space.count(wave, exec, bytes, Access.LOAD);
        } else {
          load.run(wave, exec);
        }
        return;
      }
      long[] addresses = wave.temporaries.addresses;
      int stride = load.resolve(space, wave, exec, bytes, Access.LOAD, addresses);
      if (!moves(wave, exec)) {
        load.move(wave, exec, addresses, stride);
      }
    }

    private boolean moves(Wave wave, long exec) {
      LinearSpace.Window window = space.window(wave, exec, 4 * dwords, Access.LOAD);
      return window != null
          && Moves.load(
              wave.v,
              space.row(),
              space.add(),
              window.low(),
              window.limit(),
              window.base(),
              destination.of(wave),
              destination.first(),
              dwords,
              exec);
    }
  }

  @Override
  void run(Wave wave, long lanes) {
    long[] addresses = wave.temporaries.addresses;
    move(
        wave, lanes, addresses, resolve(space, wave, lanes, width.bytes(), Access.LOAD, addresses));
  }

  /** Loads from where the lanes' bytes were found to be. */
  void move(Wave wave, long lanes, long[] addresses, int stride) {
    int[] registers = destination.of(wave);
    int first = destination.first();
    if (stride == Space.SCATTERED) {
      scattered(wave, lanes, addresses, registers);
    } else if (width.bytes() < 4) {
      for (long m = lanes; m != 0; m = Lanes.afterRun(m)) {
        int to = Lanes.end(m);
        for (int l = Lanes.start(m); l < to; l++) {
          set(registers, first + l, width.load(addresses[l]));
        }
      }
    } else {
      Transfer.load(addresses, stride, width.dwords(), lanes, registers, first);
    }
  }

  private void set(int[] registers, int at, int loaded) {
    registers[at] = (registers[at] & kept) | loaded;
  }

  private void scattered(Wave wave, long lanes, long[] offsets, int[] registers) {
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      for (int d = 0; d < width.dwords(); ) {
        long offset = offsets[lane] + 4L * d;
        int at = destination.first() + d * Wave.LANES + lane;
        long pair = d + 1 < width.dwords() ? space.together(wave, lane, offset, 8) : Space.NOWHERE;
        if (pair != Space.NOWHERE) {
          Transfer.load(pair, 2, registers, at);
          d += 2;
        } else {
          set(registers, at, scattered(wave, lane, offset));
          d++;
        }
      }
    }
  }

  private int scattered(Wave wave, int lane, long offset) {
    int bytes = Math.min(4, width.bytes());
    long whole = space.together(wave, lane, offset, bytes);
    if (whole != Space.NOWHERE) {
      return width.load(whole);
    }
    int value = 0;
    for (int b = 0; b < bytes; b++) {
      long address = space.byteAddress(wave, lane, offset + b);
      if (address != Space.NOWHERE) {
        value |= (Memory.loadByte(address) & 0xff) << (8 * b);
      }
    }
    return width.extend(value);
  }
}
