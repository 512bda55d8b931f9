package dev.rocport.device.check.order;

import dev.rocport.device.check.WaitLoop;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.op.memory.AtomicAccess;
import dev.rocport.device.op.memory.MemoryPath;
import dev.rocport.device.op.memory.Width;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** The way of one instruction's accesses through the caches. */
final class OrderedPath implements MemoryPath {
  private final Instruction instruction;
  private final Scopes scopes;

  /** What its accesses are, in words, where it has made some. */
  private @Nullable String words;

  private @Nullable Boolean guess;

  OrderedPath(Instruction instruction) {
    this.instruction = instruction;
    this.scopes = Scopes.of(instruction);
  }

  /**
   * Whether the instruction at {@code pc} loads the value that a later compare-and-swap compares.
   */
  boolean isGuess(Wave wave, int pc) {
    if (guess == null) {
      guess = WaitLoop.isGuess(wave.code, pc, instruction);
    }
    return guess;
  }

  private static Pending pending(Wave wave) {
    if (wave.order instanceof Pending pending) {
      return pending;
    }
    throw new IllegalStateException("a wave that began without its compute unit");
  }

  @Override
  public void load(
      Wave wave, Width width, long lanes, long[] addresses, int[] registers, int first) {
    Pending pending = pending(wave);
    OrderWatch launch = pending.launch;
    int kept = width.kept(instruction.opcode().generation());
    LateLoad load =
        LateLoad.of(
            launch.loads,
            this,
            wave,
            width,
            lanes,
            addresses,
            registers,
            first,
            kept,
            launch.clock());
    issue(pending, load, launch.mayDelay(wave, load::what));
    if (!scopes.isPlain()) {
      pending.atomicLoad();
      pending.meets(wave, 4);
    }
  }

  /** Performs an access now or later. */
  private static void issue(Pending pending, Late access, boolean mayDelay) {
    ComputeUnit unit = pending.unit;
    unit.settle(access.first, access.last);
    boolean kept = unit.hasRoomForLate() && pending.keepsLoad();
    if (!mayDelay) {
      access.performAtOnce();
      return;
    }
    pending.add(access);
    if (kept) {
      pending.launch.machine().delayed();
      unit.postpone(access);
    } else {
      access.perform();
    }
  }

  /** Sees what a load sees. */
  void sample(LateLoad load) {
    Wave wave = load.wave();
    Pending pending = pending(wave);
    OrderWatch launch = pending.launch;
    ComputeUnit unit = pending.unit;
    History history = launch.history();
    boolean fresh = scopes.loadsFresh(wave.group.environment().target());
    boolean plain = scopes.isPlain();
    Width width = load.width();
    int bytes = width.bytes();
    int size = Math.min(4, bytes);
    int[] values = load.values();
    long line = -1;
    long data = 0;
    int known = -1;
    boolean telling = false;
    Writer seen = null;
    long m = load.lanes();
    while (m != 0) {
      int lane = Long.numberOfTrailingZeros(m);
      if (known < 0 && bytes == Integer.BYTES && load.isIn(lane, line)) {
        // Most lines were not stored lately, and there is nothing to compare.
        m = load.take(m, line, data);
        continue;
      }
      m &= m - 1;
      int at = lane;
      for (int d = 0; d < bytes; d += 4, at += Wave.LANES) {
        long address = load.address(lane) + d;
        int offset = (int) address & Lines.BYTES - 1;
        if (offset + size > Lines.BYTES) {
          values[at] = width.extend(crossing(load, unit, address, size, fresh));
          line = -1;
          continue;
        }
        if (address >>> 6 != line) {
          line = address >>> 6;
          data = look(load, unit, line, fresh);
          known = data == line * Lines.BYTES ? -1 : history.find(line);
          telling = known >= 0 && launch.tellsOf(load, line);
          seen = null;
          if (known >= 0 && bytes == Integer.BYTES && history.isAsStored(known, data)) {
            Writer all = telling ? history.whole(known) : null;
            if (all != null) {
              launch.saw(load, plain, line, lane, all);
            }
            // Nothing is missed, and the lanes that follow see what this one does.
            known = telling && all == null ? known : -1;
          }
        }
        if (known >= 0) {
          int missed = history.missed(known, line, offset, size, data + offset);
          if (missed >= 0) {
            launch.missed(load, plain, line, lane, known, missed);
          } else if (telling) {
            Writer whole =
                history.areStored(known, offset, size, data + offset) ? history.whole(known) : null;
            if (whole == null) {
              launch.saw(load, plain, line, lane, known, offset, size, data + offset);
            } else if (!whole.equals(seen)) {
              seen = whole;
              launch.saw(load, plain, line, lane, whole);
            }
          }
        }
        values[at] = width.load(data + offset);
      }
    }
    if (!plain) {
      launch.maybeMet(unit, load);
    }
  }

  private static long look(LateLoad load, ComputeUnit unit, long line, boolean fresh) {
    Wave wave = load.wave();
    Kind kind = pending(wave).launch.kind(wave, line);
    if (load.isPrompt()) {
      unit.giveUp(line);
    }
    return switch (kind) {
      case UNCACHED -> line * Lines.BYTES;
      case FINE, INTERNAL, COARSE, REMOTE ->
          fresh ? unit.fresh(line, kind) : unit.cached(line, kind);
    };
  }

  /** The bits of an access that crosses two lines. */
  private static int crossing(
      LateLoad load, ComputeUnit unit, long address, int bytes, boolean fresh) {
    int value = 0;
    for (int b = 0; b < bytes; b++) {
      long at = address + b;
      long data = look(load, unit, at >>> 6, fresh);
      value |= (Memory.loadByte(data + (at & (Lines.BYTES - 1))) & 255) << (8 * b);
    }
    return value;
  }

  @Override
  public void store(
      Wave wave, Width width, long lanes, long[] addresses, int[] registers, int first) {
    Pending pending = pending(wave);
    OrderWatch launch = pending.launch;
    ComputeUnit unit = pending.unit;
    String what = words("store", width.bytes());
    Writer writer = launch.writer(wave, pending, lanes, false, what);
    boolean mayDelay = launch.mayDelay(wave, () -> what);
    int bytes = width.bytes();
    unit.settle(lanes, addresses, bytes);
    int size = Math.min(4, bytes);
    long line = -1;
    long data = 0;
    long mask = 0;
    boolean cached = false;
    long m = lanes;
    while (m != 0) {
      int lane = Long.numberOfTrailingZeros(m);
      if (bytes == Integer.BYTES && addresses[lane] >>> 6 == line) {
        int offset = (int) addresses[lane] & Lines.BYTES - 1;
        if (offset <= Lines.BYTES - 4) {
          Memory.storeInt(data + offset, registers[first + lane]);
          mask |= 15L << offset;
          m &= m - 1;
          continue;
        }
      }
      m &= m - 1;
      int register = first + lane;
      for (int d = 0; d < bytes; d += 4, register += Wave.LANES) {
        long address = addresses[lane] + d;
        int value = width.part(registers[register]);
        for (int b = 0; b < size; ) {
          long at = address + b;
          int offset = (int) at & Lines.BYTES - 1;
          if (at >>> 6 != line) {
            if (mask != 0 && cached) {
              stored(pending, line, mask, writer, mayDelay);
            }
            line = at >>> 6;
            mask = 0;
            Kind kind = launch.kind(wave, line);
            cached = kind != Kind.UNCACHED;
            data = cached ? unit.room(line, kind) : line * Lines.BYTES;
          }
          if (b == 0 && size == 4 && offset <= Lines.BYTES - 4) {
            Memory.storeInt(data + offset, value);
            mask |= 15L << offset;
            b = 4;
          } else {
            Memory.storeByte(data + offset, (byte) (value >>> (8 * b)));
            mask |= 1L << offset;
            b++;
          }
        }
      }
    }
    if (mask != 0 && cached) {
      stored(pending, line, mask, writer, mayDelay);
    }
    pending.maybeDrain();
    if (!scopes.isPlain()) {
      pending.meets(wave, 4);
    }
  }

  private String words(String kind, int bytes) {
    if (words == null) {
      words = kind + " of " + bytes + " bytes";
    }
    return words;
  }

  private void stored(Pending pending, long line, long mask, Writer writer, boolean mayDelay) {
    pending.unit.stored(line, mask, scopes.storesThrough(), writer);
    if (mayDelay) {
      pending.launch.machine().delayed();
      pending.store(line);
    } else {
      pending.unit.giveUp(line);
    }
  }

  @Override
  public void atomic(Wave wave, AtomicAccess access) {
    Pending pending = pending(wave);
    OrderWatch launch = pending.launch;
    String what = words("atomic", access.bytes());
    Writer writer =
        launch.writer(wave, pending, access.lanes(), instruction.name().contains("cmpswap"), what);
    issue(
        pending,
        new LateAtomic(pending.unit, launch.history(), access, writer),
        launch.mayDelay(wave, () -> what));
    pending.meets(wave, 16);
  }

  @Override
  public void beforeAnywhere(Wave wave) {
    ComputeUnit unit = pending(wave).unit;
    unit.settle(0, Long.MAX_VALUE);
    unit.drainAll();
    unit.writeBack();
    unit.invalidateL1();
    unit.invalidateL2();
  }
}
