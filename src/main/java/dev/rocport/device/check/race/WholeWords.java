package dev.rocport.device.check.race;

import org.jspecify.annotations.Nullable;

/**
 * Plain loads and stores of whole words: those that race with nothing, which are most, are taken in
 * here. Its steps share the current access in fields, because it runs for every access.
 */
final class WholeWords {
  /** Fewest lanes whose words are looked at together. */
  private static final int FEWEST = 4;

  private final LaneAccess access;
  private long epoch;
  private int info;
  private boolean stores;
  private long pairs;

  WholeWords(LaneAccess access) {
    this.access = access;
  }

  /** An access begins. */
  void begin(long itsEpoch, int itsInfo, boolean isStore) {
    epoch = itsEpoch;
    info = itsInfo;
    stores = isStore;
  }

  /** How many pairs of accesses of one word it has compared. */
  long pairs() {
    return pairs;
  }

  /**
   * Takes in the lanes from {@code first} up to, not including, {@code past}, whose words follow
   * each other.
   *
   * @param from the first word
   * @param each words of a lane
   */
  void run(Cells cells, int from, int first, int past, int each) {
    if (past - first >= FEWEST
        && together(cells, from, from + (past - first) * each, first, each)) {
      return;
    }
    int cell = from;
    for (int lane = first; lane < past; lane++) {
      int mine = PackedAccess.inLane(info, lane);
      for (int w = 0; w < each; w++, cell++) {
        if (!(stores ? store(cells, cell, mine) : load(cells, cell, mine))) {
          access.word(cells, cell, lane);
        }
      }
    }
  }

  /**
   * Takes in a load or store of words, if whoever was last at all of them is one wave, and nothing
   * races.
   *
   * @param from the first word
   * @param to the first one that is not theirs
   */
  private boolean together(Cells cells, int from, int to, int firstLane, int each) {
    long writer = cells.writers[from];
    long reader = cells.readers[from];
    if (!Cells.isOnly(writer, cells.writers, cells.otherWriters, from, to)
        || (writer != 0 && !access.isAfter(writer))) {
      return false;
    }
    if (!stores) {
      if (!Cells.isOnly(reader, cells.readers, from, to)) {
        return false;
      }
      boolean asOther = reader != 0 && reader != epoch && !access.isAfter(reader);
      cells.read(from, to, epoch, info, firstLane, each, asOther);
    } else if (!Cells.isOnly(reader, cells.readers, cells.otherReaders, from, to)
        || (reader != 0 && !access.isAfter(reader))) {
      return false;
    } else {
      cells.write(from, to, epoch, info, firstLane, each);
      pairs += reader == 0 ? 0 : to - from;
    }
    pairs += writer == 0 ? 0 : to - from;
    return true;
  }

  /** Takes in a load of a word; false if it is not as simple as that. */
  private boolean load(Cells cells, int cell, int mine) {
    long writer = cells.writers[cell];
    long reader = cells.readers[cell];
    if (!isBefore(writer) || has(cells.otherWriters, cell) || !isBefore(reader)) {
      return false;
    }
    pairs += writer == 0 ? 0 : 1;
    cells.readers[cell] = epoch;
    cells.reads[cell] = mine;
    return true;
  }

  /** The same of a store. */
  private boolean store(Cells cells, int cell, int mine) {
    long writer = cells.writers[cell];
    long reader = cells.readers[cell];
    if (!isBefore(writer)
        || !isBefore(reader)
        || has(cells.otherWriters, cell)
        || has(cells.otherReaders, cell)) {
      return false;
    }
    pairs += (writer == 0 ? 0 : 1) + (reader == 0 ? 0 : 1);
    cells.writers[cell] = epoch;
    cells.writes[cell] = mine;
    cells.readers[cell] = 0;
    return true;
  }

  private boolean isBefore(long other) {
    return other == 0 || access.isAfter(other);
  }

  private static boolean has(long @Nullable [] others, int cell) {
    return others != null && others[cell] != 0;
  }
}
