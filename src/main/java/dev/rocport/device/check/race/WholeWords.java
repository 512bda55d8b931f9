package dev.rocport.device.check.race;

import org.jspecify.annotations.Nullable;

/**
 * Plain loads and stores of whole words: those that race with nothing, which are most, are taken in
 * here. Its steps share the current access in fields, because it runs for every access.
 */
final class WholeWords {
  /** Fewest lanes whose words are looked at together. */
  private static final int FEWEST = 4;

  private final CellAccess access;
  private long epoch;
  private int info;
  private boolean stores;
  private long pairs;

  WholeWords(CellAccess access) {
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
    int to = from + (past - first) * each;
    int start = from + Cells.ROW - 1 & -Cells.ROW;
    int end = to & -Cells.ROW;
    if (start >= end || Integer.bitCount(each) != 1 || (start - from & each - 1) != 0) {
      words(cells, from, first, past, each);
      return;
    }
    int shift = Integer.numberOfTrailingZeros(each);
    int lane = first + ((start - from) >> shift);
    int ofRow = Cells.ROW >> shift;
    words(cells, from, first, lane, each);
    for (int at = start; at < end; at += Cells.ROW, lane += ofRow) {
      int how = Cells.rowInfo(PackedAccess.inLane(info, lane), shift);
      if (!row(cells, at / Cells.ROW, how)) {
        words(cells, at, lane, lane + ofRow, each);
      }
    }
    words(cells, end, lane, past, each);
  }

  /**
   * Takes in lanes whose words lie anywhere.
   *
   * @param base the address of the first of all cells
   * @param each words of a lane
   * @return the lanes whose bytes are not whole words
   */
  long apart(Cells cells, long lanes, long[] addresses, long base, int each) {
    long left = 0;
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long offset = addresses[lane] - base;
      if ((offset & 3) != 0) {
        left |= 1L << lane;
        continue;
      }
      int from = (int) (offset >>> 2);
      int mine = PackedAccess.inLane(info, lane);
      for (int cell = from; cell < from + each; cell++) {
        cells.open(cell);
        if (!(stores ? store(cells, cell, mine) : load(cells, cell, mine))) {
          access.word(cells, cell, lane);
        }
      }
    }
    return left;
  }

  /** Takes in a row, if it has one entry for all its words and nothing races. */
  private boolean row(Cells cells, int row, int how) {
    long writer = cells.rowWriters[row];
    if (writer < 0 || !isBefore(writer)) {
      return false;
    }
    long reader = cells.rowReaders[row];
    if (stores) {
      long other = cells.rowOtherReaders[row];
      if (!isBefore(reader) || !isBefore(other)) {
        return false;
      }
      cells.writeRow(row, epoch, how);
      count(reader);
      count(other);
    } else if (reader == epoch || isBefore(reader)) {
      cells.rowReaders[row] = epoch;
      cells.rowReads[row] = how;
    } else {
      cells.rowOtherReaders[row] = epoch;
      cells.rowOtherReads[row] = how;
    }
    count(writer);
    return true;
  }

  private void count(long other) {
    pairs += other == 0 ? 0 : Cells.ROW;
  }

  private void words(Cells cells, int from, int first, int past, int each) {
    if (first >= past) {
      return;
    }
    int to = from + (past - first) * each;
    cells.open(from, to);
    if (past - first >= FEWEST && together(cells, from, to, first, each)) {
      return;
    }
    int cell = from;
    boolean simple = stores;
    for (int lane = first; lane < past; lane++) {
      int mine = PackedAccess.inLane(info, lane);
      for (int w = 0; w < each; w++, cell++) {
        if (!(stores ? store(cells, cell, mine) : load(cells, cell, mine))) {
          access.word(cells, cell, lane);
          simple = false;
        }
      }
    }
    if (simple && isRow(from, to, each)) {
      writeRow(cells, from, first, each);
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
    if (!Cells.isOnly(writer, cells.writers, cells.otherWriters, from, to) || !isBefore(writer)) {
      return false;
    }
    if (!stores) {
      if (!Cells.isOnly(reader, cells.readers, from, to)) {
        return false;
      }
      boolean asOther = reader != epoch && !isBefore(reader);
      cells.read(from, to, epoch, info, firstLane, each, asOther);
    } else if (!Cells.isOnly(reader, cells.readers, cells.otherReaders, from, to)
        || !isBefore(reader)) {
      return false;
    } else {
      write(cells, from, to, firstLane, each);
      pairs += reader == 0 ? 0 : to - from;
    }
    pairs += writer == 0 ? 0 : to - from;
    return true;
  }

  private static boolean isRow(int from, int to, int each) {
    return to - from == Cells.ROW && (from & (Cells.ROW - 1)) == 0 && Integer.bitCount(each) == 1;
  }

  /** Nobody else counts at these words any more: a row of them needs one entry. */
  private void write(Cells cells, int from, int to, int firstLane, int each) {
    if (isRow(from, to, each)) {
      writeRow(cells, from, firstLane, each);
    } else {
      cells.write(from, to, epoch, info, firstLane, each);
    }
  }

  private void writeRow(Cells cells, int from, int firstLane, int each) {
    int how =
        Cells.rowInfo(PackedAccess.inLane(info, firstLane), Integer.numberOfTrailingZeros(each));
    cells.writeRow(from / Cells.ROW, epoch, how);
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

  /** Whether an access, if there was one, is ordered before this one. */
  boolean isBefore(long other) {
    return other == 0 || access.isAfter(other);
  }

  private static boolean has(long @Nullable [] others, int cell) {
    return others != null && others[cell] != 0;
  }
}
