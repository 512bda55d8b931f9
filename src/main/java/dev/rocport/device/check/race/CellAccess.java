package dev.rocport.device.check.race;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.MemoryAccess;
import org.jspecify.annotations.Nullable;

/**
 * What an access does to one cell, compared with who was there before. One a workgroup. Its steps
 * share the current access in fields, because it runs for every access; {@link LaneAccess} finds
 * the cells.
 */
final class CellAccess {
  private static final int ALL = 15;

  final Conflicts conflicts;
  private final GroupRaces group;
  private final Joins joins;
  private final Shadow.Recent recent;
  WaveClock me;
  private long actor;
  long epoch;
  int info;

  /** What is accessed by the lanes, and how many bytes each. */
  long[] addresses = {};

  int size;
  private @Nullable Instruction instruction;

  /** The address of cell 0 of the cells that are looked at. */
  long base;

  private int laneInfo;
  private int lane;
  SyncScope scope = SyncScope.PLAIN;
  boolean atomic;
  boolean loads;

  /** Whether vmcnt counts it. */
  private boolean counted;

  /** It compares and swaps. */
  private boolean swaps;

  boolean stores;

  /** It stores what is there already; looked for only if other processes may load it. */
  private boolean idle;

  private boolean bypasses;
  boolean inLds;

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

  CellAccess(GroupRaces group, Shadow.Recent recent, WaveClock first) {
    this.group = group;
    this.conflicts = new Conflicts(group.launch);
    this.joins = new Joins(group.crowd());
    this.recent = recent;
    this.me = first;
  }

  /** An access begins: see {@link LaneAccess#run}. */
  void begin(
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
  }

  /** How many pairs of accesses of one word it has compared. */
  long pairs() {
    return pairs;
  }

  /**
   * Takes in an update of a word of LDS that only updates have touched since a barrier: these race
   * with nothing. Does what {@link #words} does.
   *
   * @return whether the word is one of these
   */
  boolean update(Cells cells, int cell, int ofLane) {
    cells.open(cell);
    if (!cells.hasOnlyUpdates(cell)) {
      return false;
    }
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
    cells.writes[cell] = PackedAccess.inLane(info, ofLane);
    hand(cells, cell);
    return true;
  }

  /** Takes in a whole word of a lane. */
  void word(Cells cells, int cell, int ofLane) {
    enter(ofLane);
    access(cells, cell, ALL);
  }

  /** Takes in bytes of a lane. */
  void bytes(Cells cells, int ofLane, long offset, int bytes) {
    enter(ofLane);
    words(cells, offset, bytes);
  }

  static boolean isSwap(Instruction instruction) {
    return instruction.name().contains("cmps");
  }

  private void enter(int number) {
    lane = number;
    laneInfo = PackedAccess.inLane(info, number);
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
