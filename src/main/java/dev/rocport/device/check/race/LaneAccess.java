package dev.rocport.device.check.race;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;

/**
 * One access of the lanes of a wave: finds the cells that they touch, and takes in many at once
 * where their bytes follow each other. One a workgroup. {@link CellAccess} compares a cell with who
 * was there before, {@link WholeWords} many.
 */
final class LaneAccess {
  private final GroupRaces group;
  private final CellAccess cell;
  private final WholeWords whole;
  private final Shadow.Recent recent;

  /** What is accessed by the lanes, and how many bytes each. */
  private long[] addresses = {};

  private int size;

  private boolean stores;
  private boolean atomic;
  private boolean inLds;

  /** Pairs of updates of a word that nothing but updates touches. */
  private long pairs;

  LaneAccess(GroupRaces group, WaveClock first) {
    this.group = group;
    this.recent = group.launch.session().shadow().recent();
    this.cell = new CellAccess(group, recent, first);
    this.whole = new WholeWords(cell);
  }

  /**
   * Takes in an access.
   *
   * @param pc index of the instruction
   * @param ofWave the instruction
   * @param byScope whether it is atomic: an update, or a load or store of some scope
   * @param toLoad whether the wave gets a value
   */
  void run(
      WaveClock wave,
      int pc,
      Instruction ofWave,
      SyncScope byScope,
      boolean toLoad,
      MemoryAccess memory) {
    wave.look();
    cell.begin(wave, pc, ofWave, byScope, toLoad, memory);
    addresses = memory.addresses();
    size = memory.bytes();
    stores = cell.stores;
    atomic = cell.atomic;
    inLds = cell.inLds;
    whole.begin(cell.epoch, cell.info, stores);
    long lanes = memory.lanes();
    long looked = lookAt(memory);
    if (looked != lanes && cell.conflicts.hasOpen()) {
      // All lanes are to be named.
      compare(lanes & ~looked);
    }
    cell.conflicts.tell();
    if (stores && !atomic && byScope != SyncScope.UNKNOWN) {
      LaneStores.compare(group.launch, wave, pc, ofWave, lanes, size, addresses, inLds);
    }
  }

  /**
   * Looks at all lanes. Where several load from one place, one of them stands for all.
   *
   * @return the lanes that it has looked at
   */
  private long lookAt(MemoryAccess memory) {
    if (!atomic && memory.shape() != MemoryAccess.ANY) {
      return parts(memory);
    }
    long lanes = memory.lanes();
    long distinct =
        stores || atomic || !Repeats.mayBeIn(addresses)
            ? lanes
            : lanes & ~Repeats.of(addresses, lanes);
    compare(distinct);
    return distinct;
  }

  private long parts(MemoryAccess memory) {
    long looked = 0;
    long before = 0;
    int part = 0;
    while (part < Wave.LANES) {
      int start = part;
      part += MemoryAccess.PART;
      long some = memory.lanesAt(start);
      if (some == 0 || (!stores && isLikeBefore(memory, some, before))) {
        before = some;
        continue;
      }
      before = some;
      int shape = memory.shapeAt(start);
      if (shape == MemoryAccess.ONE && !stores) {
        some &= -some;
        run(start + Long.numberOfTrailingZeros(some >>> start), 1);
      } else if (shape == MemoryAccess.ROW) {
        while (part < Wave.LANES && followsOn(memory, part)) {
          some |= memory.lanesAt(part);
          before = 0;
          part += MemoryAccess.PART;
        }
        for (long m = some; m != 0; ) {
          int from = Long.numberOfTrailingZeros(m);
          int count = Long.numberOfTrailingZeros(~(m >>> from));
          run(from, count);
          m = from + count == Wave.LANES ? 0 : m & (-1L << (from + count));
        }
      } else {
        compare(some);
      }
      looked |= some;
    }
    return looked;
  }

  /** Whether the lanes of a part go to the same places as those of the part before. */
  private boolean isLikeBefore(MemoryAccess memory, long some, long before) {
    int first = Long.numberOfTrailingZeros(some);
    int other = first - MemoryAccess.PART;
    return before != 0
        && before == some >>> MemoryAccess.PART
        && memory.shapeAt(first) != MemoryAccess.ANY
        && memory.shapeAt(first) == memory.shapeAt(other)
        && addresses[first] == addresses[other];
  }

  /** Whether a part goes on where the one before, which is a row, ends. */
  private boolean followsOn(MemoryAccess memory, int part) {
    return memory.shapeAt(part) == MemoryAccess.ROW
        && (memory.lanes() >>> (part - 1) & 3) == 3
        && addresses[part] == addresses[part - 1] + size;
  }

  /** Looks at lanes from one on, whose bytes follow each other. */
  private void run(int first, int count) {
    long address = addresses[first];
    long number = address >>> Shadow.CHUNK_BITS;
    boolean words = ((address | size) & 3) == 0;
    if (words && inLds) {
      cell.base = group.group.lds();
      whole.run(group.lds, (int) ((address - cell.base) >>> 2), first, first + count, size >> 2);
      return;
    }
    if (words && (address + (long) count * size - 1) >>> Shadow.CHUNK_BITS == number) {
      Cells cells = recent.chunk(number);
      synchronized (cells) {
        if (!(stores && cell.scope == SyncScope.UNKNOWN && cells.hasLocations())) {
          cell.base = number << Shadow.CHUNK_BITS;
          whole.run(cells, (int) ((address - cell.base) >>> 2), first, first + count, size >> 2);
          return;
        }
      }
    }
    compare(lanesFrom(first, count));
  }

  private static long lanesFrom(int first, int count) {
    return -1L >>> (Wave.LANES - count) << first;
  }

  /** How many pairs of accesses of one word it has compared. */
  long pairs() {
    return pairs + cell.pairs() + whole.pairs();
  }

  private void compare(long lanes) {
    if (!inLds) {
      global(lanes, size);
      return;
    }
    cell.base = group.group.lds();
    long m = lanes;
    if (atomic && stores && size == Integer.BYTES) {
      Updates updates = cell.loads ? null : group.lds.updates();
      m = updates == null ? lanes : updates(updates, group.lds, lanes);
      m = updates(group.lds, m);
    } else if (!atomic && (size & 3) == 0) {
      m = whole.apart(group.lds, lanes, addresses, cell.base, size >> 2);
    }
    while (m != 0) {
      m = lanes(group.lds, m, size, Long.MAX_VALUE);
    }
  }

  /**
   * Looks at the first of some lanes, together with those after it whose bytes follow its own.
   *
   * @param end the last address at which an access of a lane may begin
   * @return the lanes that are left
   */
  private long lanes(Cells cells, long lanes, int bytes, long end) {
    int first = Long.numberOfTrailingZeros(lanes);
    long offset = addresses[first] - cell.base;
    if (atomic
        || ((offset | bytes) & 3) != 0
        || (stores && cell.scope == SyncScope.UNKNOWN && cells.hasLocations())) {
      cell.bytes(cells, first, offset, bytes);
      return lanes & (lanes - 1);
    }
    int past = past(lanes, first, bytes, end);
    whole.run(cells, (int) (offset >>> 2), first, past, bytes >> 2);
    return past == Wave.LANES ? 0 : lanes & -1L << past;
  }

  /**
   * Takes in updates of words of LDS that nothing but updates touches: these race with nothing.
   *
   * @return the lanes that are left
   */
  private long updates(Updates updates, Cells cells, long lanes) {
    int tick = cell.me.updates();
    long left = 0;
    for (long m = lanes; m != 0; m &= m - 1) {
      int number = Long.numberOfTrailingZeros(m);
      long offset = addresses[number] - cell.base;
      int word = (int) (offset >>> 2);
      int row = word / Cells.ROW;
      long writer = cells.rowWriters[row];
      boolean apart = writer == Cells.UPDATED;
      if ((offset & 3) != 0
          || writer == Cells.EACH
          || !whole.isBefore(apart ? updates.former(row) : writer)
          || !whole.isBefore(cells.rowReaders[row])
          || !whole.isBefore(cells.rowOtherReaders[row])) {
        left |= 1L << number;
        continue;
      }
      if (!apart) {
        updates.begin(cells, row);
      }
      pairs += updates.add(word, tick, PackedAccess.inLane(cell.info, number)) ? 1 : 0;
    }
    return left;
  }

  /**
   * The same of words that only updates have touched since a barrier, with the others.
   *
   * @return the lanes that are left
   */
  private long updates(Cells cells, long lanes) {
    long left = 0;
    for (long m = lanes; m != 0; m &= m - 1) {
      int number = Long.numberOfTrailingZeros(m);
      long offset = addresses[number] - cell.base;
      if ((offset & 3) != 0 || !cell.update(cells, (int) (offset >>> 2), number)) {
        left |= 1L << number;
      }
    }
    return left;
  }

  /** The first lane after {@code first} whose bytes do not follow those of the lane before it. */
  private int past(long lanes, int first, int bytes, long end) {
    long address = addresses[first];
    int l = first + 1;
    while (l < Wave.LANES
        && (lanes >>> l & 1) != 0
        && addresses[l] == (address += bytes)
        && address <= end) {
      l++;
    }
    return l;
  }

  private void global(long lanes, int bytes) {
    long m = lanes;
    while (m != 0) {
      long number = addresses[Long.numberOfTrailingZeros(m)] >>> Shadow.CHUNK_BITS;
      long end = ((number + 1) << Shadow.CHUNK_BITS) - bytes;
      long start = number << Shadow.CHUNK_BITS;
      Cells cells = recent.chunk(number);
      cell.base = start;
      synchronized (cells) {
        while (m != 0) {
          long address = addresses[Long.numberOfTrailingZeros(m)];
          if (address < start || address > end) {
            break;
          }
          m = lanes(cells, m, bytes, end);
        }
      }
      if (m != 0) {
        int l = Long.numberOfTrailingZeros(m);
        if (addresses[l] >>> Shadow.CHUNK_BITS == number && addresses[l] > end) {
          across(l, bytes);
          m &= m - 1;
        }
      }
    }
  }

  /** An access that crosses from one chunk into the next. */
  private void across(int lane, int bytes) {
    long address = addresses[lane];
    long middle = ((address + bytes - 1) >>> Shadow.CHUNK_BITS) << Shadow.CHUNK_BITS;
    part(lane, address, (int) (middle - address));
    part(lane, middle, (int) (address + bytes - middle));
  }

  private void part(int lane, long address, int bytes) {
    long number = address >>> Shadow.CHUNK_BITS;
    Cells cells = recent.chunk(number);
    cell.base = number << Shadow.CHUNK_BITS;
    synchronized (cells) {
      cell.bytes(cells, lane, address - cell.base, bytes);
    }
  }
}
