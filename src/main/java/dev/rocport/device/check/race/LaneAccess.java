package dev.rocport.device.check.race;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/**
 * One access of the lanes of a wave, compared with who was there before. One a workgroup. Its steps
 * share the current access in fields, because it runs for every access.
 */
final class LaneAccess {
  private static final int ALL = 15;

  private final GroupRaces group;
  private final Conflicts conflicts;
  private final WholeWords whole = new WholeWords(this);
  private final Joins joins;
  private final Shadow.Recent recent;
  private WaveClock me;
  private long actor;
  private long epoch;
  private int info;

  /** What is accessed by the lanes, and how many bytes each. */
  private long[] addresses = {};

  private int size;
  private @Nullable Instruction instruction;

  /** The address of cell 0 of the cells that are looked at. */
  private long base;

  private int laneInfo;
  private int lane;
  private SyncScope scope = SyncScope.PLAIN;
  private boolean atomic;
  private boolean loads;

  /** Whether vmcnt counts it. */
  private boolean counted;

  /** It compares and swaps. */
  private boolean swaps;

  private boolean stores;

  /** It stores what is there already; looked for only if other processes may load it. */
  private boolean idle;

  private boolean bypasses;
  private boolean inLds;

  /** For an access of LDS, the ticks of the waves that are ordered before it. */
  private int[] mates = {};

  /** An epoch that is known to be ordered before this access. */
  private long known;

  /** One that is known not to be. */
  private long unordered;

  /** What the wave makes known by this access; null where that is not known yet. */
  private @Nullable Published word;

  /** Pairs of accesses of a word that were compared. */
  private long pairs;

  LaneAccess(GroupRaces group, WaveClock first) {
    this.group = group;
    this.conflicts = new Conflicts(group.launch);
    this.joins = new Joins(group.crowd());
    this.recent = group.launch.session().shadow().recent();
    this.me = first;
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
    Access access = memory.access();
    me = wave;
    instruction = ofWave;
    addresses = memory.addresses();
    size = memory.bytes();
    wave.look();
    scope = byScope;
    loads = toLoad;
    counted = ofWave.opcode().encoding() != Encoding.DS;
    actor = wave.actor;
    epoch = wave.epoch();
    swaps = access == Access.ATOMIC && isSwap(ofWave);
    atomic = byScope == SyncScope.GROUP || byScope == SyncScope.GPU;
    stores = access != Access.LOAD;
    bypasses = stores || byScope == SyncScope.GPU;
    inLds = memory.kind() == Kind.LDS;
    idle =
        stores
            && !atomic
            && !inLds
            && group.launch.session().isShared()
            && Stored.changesNothing(wave.wave, ofWave, memory);
    info = PackedAccess.of(group.launch.place(pc), atomic, idle || byScope == SyncScope.GROUP);
    known = 0;
    unordered = 0;
    if (inLds) {
      mates = wave.matesInLds(bypasses);
      Updates updates = group.lds.updates();
      if (updates != null) {
        updates.visits((int) (actor - group.firstActor));
      }
    }
    word = null;
    conflicts.begin(wave, info, stores, atomic, inLds);
    whole.begin(epoch, info, stores);
    long lanes = memory.lanes();
    long looked = lookAt(memory);
    if (looked != lanes && conflicts.hasOpen()) {
      // All lanes are to be named.
      compare(lanes & ~looked);
    }
    conflicts.tell();
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
      base = group.group.lds();
      whole.run(group.lds, (int) ((address - base) >>> 2), first, first + count, size >> 2);
    } else if (words && (address + (long) count * size - 1) >>> Shadow.CHUNK_BITS == number) {
      Cells cells = recent.chunk(number);
      synchronized (cells) {
        if (!(stores && scope == SyncScope.UNKNOWN && cells.hasLocations())) {
          base = number << Shadow.CHUNK_BITS;
          whole.run(cells, (int) ((address - base) >>> 2), first, first + count, size >> 2);
          return;
        }
      }
      compare(lanesFrom(first, count));
    } else {
      compare(lanesFrom(first, count));
    }
  }

  private static long lanesFrom(int first, int count) {
    return -1L >>> (Wave.LANES - count) << first;
  }

  /** How many pairs of accesses of one word it has compared. */
  long pairs() {
    return pairs + whole.pairs();
  }

  private void compare(long lanes) {
    if (!inLds) {
      global(lanes, size);
      return;
    }
    base = group.group.lds();
    long m = lanes;
    if (atomic && stores && size == Integer.BYTES) {
      Updates updates = loads ? null : group.lds.updates();
      m = updates == null ? lanes : updates(updates, group.lds, lanes);
      m = updates(group.lds, m);
    } else if (!atomic && (size & 3) == 0) {
      m = whole.apart(group.lds, lanes, addresses, base, size >> 2);
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
    long offset = addresses[first] - base;
    if (atomic
        || ((offset | bytes) & 3) != 0
        || (stores && scope == SyncScope.UNKNOWN && cells.hasLocations())) {
      enter(first);
      words(cells, offset, bytes);
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
    int tick = me.updates();
    long left = 0;
    for (long m = lanes; m != 0; m &= m - 1) {
      int number = Long.numberOfTrailingZeros(m);
      long offset = addresses[number] - base;
      int cell = (int) (offset >>> 2);
      int row = cell / Cells.ROW;
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
      pairs += updates.add(cell, tick, PackedAccess.inLane(info, number)) ? 1 : 0;
    }
    return left;
  }

  /**
   * Takes in updates of words of LDS that only updates have touched since a barrier: these race
   * with nothing. Does for each lane what {@link #words} does.
   *
   * @return the lanes that are left
   */
  private long updates(Cells cells, long lanes) {
    long left = 0;
    for (long m = lanes; m != 0; m &= m - 1) {
      int number = Long.numberOfTrailingZeros(m);
      long offset = addresses[number] - base;
      int cell = (int) (offset >>> 2);
      cells.open(cell);
      if ((offset & 3) == 0 && cells.hasOnlyUpdates(cell)) {
        long writer = cells.writers[cell];
        long other = cells.otherWriter(cell);
        if (other != 0) {
          pairs++;
          if (isAfterInLds(other)) {
            cells.forgetOtherWriter(cell);
          }
        }
        if (writer != 0) {
          pairs++;
          if (writer != epoch && !isAfterInLds(writer)) {
            cells.addOtherWriter(cell, writer, cells.writes[cell]);
          }
        }
        cells.writers[cell] = epoch;
        cells.writes[cell] = PackedAccess.inLane(info, number);
        hand(cells, cell);
      } else {
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

  /** Takes in a whole word of a lane. */
  void word(Cells cells, int cell, int ofLane) {
    enter(ofLane);
    access(cells, cell, ALL);
  }

  static boolean isSwap(Instruction instruction) {
    return instruction.name().contains("cmps");
  }

  private void enter(int number) {
    lane = number;
    laneInfo = PackedAccess.inLane(info, number);
  }

  private void global(long lanes, int bytes) {
    long m = lanes;
    while (m != 0) {
      long number = addresses[Long.numberOfTrailingZeros(m)] >>> Shadow.CHUNK_BITS;
      long end = ((number + 1) << Shadow.CHUNK_BITS) - bytes;
      long start = number << Shadow.CHUNK_BITS;
      Cells cells = recent.chunk(number);
      base = start;
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
          enter(l);
          across(addresses[l], bytes);
          m &= m - 1;
        }
      }
    }
  }

  /** An access that crosses from one chunk into the next. */
  private void across(long address, int bytes) {
    long middle = ((address + bytes - 1) >>> Shadow.CHUNK_BITS) << Shadow.CHUNK_BITS;
    part(address, (int) (middle - address));
    part(middle, (int) (address + bytes - middle));
  }

  private void part(long address, int bytes) {
    long number = address >>> Shadow.CHUNK_BITS;
    Cells cells = recent.chunk(number);
    base = number << Shadow.CHUNK_BITS;
    synchronized (cells) {
      words(cells, address - (number << Shadow.CHUNK_BITS), bytes);
    }
  }

  /** A wave compares and swaps what it has loaded: that load was a guess. */
  private void learn(Cells cells, int cell) {
    learn(cells.readers[cell], cells.reads[cell]);
    if (cells.otherReaders != null && cells.otherReads != null) {
      learn(cells.otherReaders[cell], cells.otherReads[cell]);
    }
  }

  private void learn(long reader, int read) {
    if (Epoch.actor(reader) == actor && !PackedAccess.isAtomic(read)) {
      group.launch.reaches().isGuess(group.launch.pc(read), inLds);
    }
  }

  private void words(Cells cells, long offset, int bytes) {
    int first = (int) (offset >>> 2);
    if ((offset & 3) == 0 && (bytes & 3) == 0) {
      for (int d = 0; d < bytes >> 2; d++) {
        access(cells, first + d, ALL);
      }
      return;
    }
    int last = (int) ((offset + bytes - 1) >>> 2);
    for (int cell = first; cell <= last; cell++) {
      long start = (long) cell << 2;
      int from = (int) (Math.max(offset, start) - start);
      int to = (int) (Math.min(offset + bytes, start + 4) - start);
      access(cells, cell, (1 << to) - (1 << from));
    }
  }

  private void access(Cells cells, int cell, int bytes) {
    cells.open(cell);
    if (stores) {
      if (swaps) {
        learn(cells, cell);
      }
      store(cells, cell, bytes);
    } else {
      load(cells, cell, bytes);
    }
    if (atomic) {
      hand(cells, cell);
    } else if (stores && scope == SyncScope.UNKNOWN) {
      Location location = cells.usedLocation(cell);
      if (location != null) {
        location.storesUnknown(epoch);
      }
    }
  }

  /** An atomic makes known what was released, and learns what others have. */
  private void hand(Cells cells, int cell) {
    // Also if nothing has been stored yet: the loaded value may be stored at this moment.
    Location location = cells.location(cell);
    if (loads) {
      me.sees(location, counted);
    }
    if (stores) {
      publish(location);
    }
  }

  private void publish(Location location) {
    Published now = word;
    if (now == null || now.seen() != me.seen()) {
      now = inLds ? Published.inLds(me) : Published.of(me);
      word = now;
    }
    if (inLds) {
      location.publishInLds(me, now);
    } else {
      location.publish(me, now, joins);
    }
  }

  private void load(Cells cells, int cell, int bytes) {
    meetWriters(cells, cell, bytes);
    long reader = cells.readers[cell];
    int read = cells.reads[cell];
    int mine = bytes == ALL ? laneInfo : PackedAccess.withBytes(laneInfo, bytes);
    if (reader == epoch) {
      cells.reads[cell] = PackedAccess.withBytes(mine, bytes | PackedAccess.bytes(read));
    } else if (reader == 0 || ((PackedAccess.bytes(read) & ~bytes) == 0 && isAfter(reader))) {
      cells.readers[cell] = epoch;
      cells.reads[cell] = mine;
    } else {
      cells.addOtherReader(cell, epoch, mine);
    }
  }

  private void store(Cells cells, int cell, int bytes) {
    meetWriters(cells, cell, bytes);
    meetReaders(cells, cell, bytes);
    long writer = cells.writers[cell];
    int write = cells.writes[cell];
    int mine = bytes == ALL ? laneInfo : PackedAccess.withBytes(laneInfo, bytes);
    if (writer == epoch && PackedAccess.isAtomic(write) == atomic) {
      mine = PackedAccess.withBytes(mine, bytes | PackedAccess.bytes(write));
    } else if (writer != 0 && ((PackedAccess.bytes(write) & ~bytes) != 0 || !isAfter(writer))) {
      cells.addOtherWriter(cell, writer, write);
    }
    cells.writers[cell] = epoch;
    cells.writes[cell] = mine;
  }

  private void meetWriters(Cells cells, int cell, int bytes) {
    long writer = cells.writers[cell];
    if (writer != 0) {
      pairs++;
      if (!isAfter(writer)) {
        meet(writer, cells.writes[cell], cell, bytes, true);
      }
    }
    long[] others = cells.otherWriters;
    int[] writes = cells.otherWrites;
    if (others != null && writes != null && others[cell] != 0) {
      pairs++;
      if (!isAfter(others[cell])) {
        meet(others[cell], writes[cell], cell, bytes, true);
      } else if (stores && (PackedAccess.bytes(writes[cell]) & ~bytes) == 0) {
        others[cell] = 0;
      }
    }
  }

  private void meetReaders(Cells cells, int cell, int bytes) {
    long reader = cells.readers[cell];
    if (reader != 0) {
      pairs++;
      boolean after = isAfter(reader);
      if (!after) {
        meet(reader, cells.reads[cell], cell, bytes, false);
      }
      if (after && (PackedAccess.bytes(cells.reads[cell]) & ~bytes) == 0) {
        cells.readers[cell] = 0;
      }
    }
    long[] others = cells.otherReaders;
    int[] reads = cells.otherReads;
    if (others != null && reads != null && others[cell] != 0) {
      pairs++;
      if (!isAfter(others[cell])) {
        meet(others[cell], reads[cell], cell, bytes, false);
      } else if ((PackedAccess.bytes(reads[cell]) & ~bytes) == 0) {
        others[cell] = 0;
      }
    }
  }

  /** Whether an access is ordered before this one. */
  boolean isAfter(long other) {
    if (other == known) {
      return true;
    }
    if (inLds) {
      boolean after = isAfterInLds(other);
      known = after ? other : known;
      return after;
    }
    if (Epoch.actor(other) == actor) {
      return true;
    }
    if (other == unordered) {
      return false;
    }
    if (isOrdered(other)) {
      known = other;
      return true;
    }
    unordered = other;
    return false;
  }

  private boolean isAfterInLds(long other) {
    long mate = Epoch.actor(other) - group.firstActor;
    // What other workgroups did to the LDS that they had is long gone.
    return mate < 0
        || mate >= mates.length
        || Epoch.tick(other) <= mates[(int) mate]
        || me.isInCrowd(other, bypasses);
  }

  private boolean isOrdered(long other) {
    int launch = Epoch.launch(Epoch.actor(other));
    return (launch != group.launch.number() && group.launch.isAfter(launch))
        || me.isAfter(other, bypasses)
        || (launch != group.launch.number() && me.isKnown(other, bypasses));
  }

  /** Another access that nothing orders before this one. */
  private void meet(long other, int how, int cell, int bytes, boolean wrote) {
    if ((PackedAccess.bytes(how) & bytes) == 0
        || bothAtomic(other, how)
        || (wrote && isKnownStore(how, cell))) {
      return;
    }
    if (isHandOver(other, how, wrote)) {
      me.trusts(other);
      unordered = 0;
      mates = me.matesInLds(bypasses);
      return;
    }
    boolean same =
        !conflicts.hasRaced(other, how)
            && (isSameValue(how, cell, bytes, wrote)
                || (wrote ? !stores && PackedAccess.isIdle(how) : idle));
    if (!conflicts.goesOn(other, how, lane, same)
        && (!same || conflicts.isNewAgreement(other, how))
        && !isInternal(cell)) {
      conflicts.begins(other, how, lane, wrote, same);
    }
  }

  /** Whether the value of an atomic was seen by a kernel that is ordered before this one. */
  private boolean isKnownStore(int how, int cell) {
    Location location =
        inLds || !PackedAccess.isAtomic(how)
            ? null
            : recent.chunk(base >>> Shadow.CHUNK_BITS).usedLocation(cell);
    return location != null && location.isSeenBefore(group.launch);
  }

  /** Whether a store finds what it stores, which is how kernels say yes in many voices. */
  private boolean isSameValue(int how, int cell, int bytes, boolean wrote) {
    Instruction store = instruction;
    if (!stores || !wrote || atomic || PackedAccess.isAtomic(how) || store == null) {
      return false;
    }
    long word = base + 4L * cell;
    long address = addresses[lane];
    int from = (int) (word + Integer.numberOfTrailingZeros(bytes) - address);
    int to = (int) (word + 32 - Integer.numberOfLeadingZeros(bytes) - address);
    return Stored.isThere(me.wave, store, lane, address, from, Math.min(to, size));
  }

  /** Whether memory is that of malloc in kernels, which hands pieces on by ways of its own. */
  private boolean isInternal(int cell) {
    if (inLds) {
      return false;
    }
    Allocation holder = group.group.environment().memory().below(base + 4L * cell);
    return holder != null && holder.kind() == Allocation.Kind.INTERNAL;
  }

  private boolean bothAtomic(long other, int how) {
    return atomic
        && PackedAccess.isAtomic(how)
        && ((scope != SyncScope.GROUP && !PackedAccess.isNarrow(how))
            || group.holds(Epoch.actor(other)));
  }

  /**
   * Whether a plain store and an atomic load may be a flag and its reader all the same: an atomic
   * store of LDS is plain machine code, and one of gfx90a where nothing else tells.
   */
  private boolean isHandOver(long other, int how, boolean wrote) {
    boolean waits = atomic && !stores && wrote;
    boolean flag = stores && !wrote && PackedAccess.isAtomic(how);
    return inLds
        ? waits || flag
        : (scope == SyncScope.UNKNOWN && PackedAccess.isAtomic(how))
            || (atomic && wrote && group.launch.isUnknown(other, how));
  }
}
