package dev.rocport.device.check.race;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who was last at each of some words of 32 bits: the last to write and the last to read, and where
 * several did that nothing orders, or that took other bytes, a second of each. A third that takes
 * the place of a second is forgotten: that may hide a race, and never makes one up.
 *
 * <p>Waves mostly access many words that follow each other. So words are kept in rows, each with
 * one entry for all of its words as long as that suffices. {@link #open} gives each word of a row
 * its own.
 */
final class Cells {
  /** Words of a row. */
  static final int ROW = 1 << 4;

  /** The entry of a row whose words have their own ones; no epoch is like it. */
  static final long EACH = -1;

  /** The entry of a row that {@link #updates} has taken in; no epoch is like it either. */
  static final long UPDATED = -2;

  private static final int ROW_BITS = 4;

  /** Words of a lane, as a power of two, if all words of a row are one lane's. */
  private static final int ALL_OF_LANE = ROW_BITS;

  final int words;

  /** Who last wrote all words of a row, {@link #EACH}, or 0. */
  final long[] rowWriters;

  /** How, as {@link #rowInfo} has it. */
  final int[] rowWrites;

  final long[] rowReaders;
  final int[] rowReads;
  final long[] rowOtherReaders;
  final int[] rowOtherReads;

  long[] writers = {};
  int[] writes = {};
  long[] readers = {};
  int[] reads = {};
  long @Nullable [] otherWriters;
  int @Nullable [] otherWrites;
  long @Nullable [] otherReaders;
  int @Nullable [] otherReads;

  /** The updates of rows that have nothing else to remember since; of LDS only. */
  private @Nullable Updates updates;

  /** The words that atomics have used. */
  private Location @Nullable [] locations;

  Cells(int words) {
    this.words = words;
    int rows = (words + ROW - 1) >> ROW_BITS;
    rowWriters = new long[rows];
    rowWrites = new int[rows];
    rowReaders = new long[rows];
    rowReads = new int[rows];
    rowOtherReaders = new long[rows];
    rowOtherReads = new int[rows];
  }

  /**
   * An access of all bytes of the words of a row by lanes that follow each other.
   *
   * @param info of the first lane
   * @param shift how many words a lane has, as a power of two
   */
  static int rowInfo(int info, int shift) {
    return PackedAccess.withBytes(info, shift);
  }

  /** Gives the words of the row of a word their own entries. */
  void open(int cell) {
    int row = cell >>> ROW_BITS;
    if (rowWriters[row] != EACH) {
      spread(row);
    }
  }

  /** The same of some words. */
  void open(int from, int to) {
    for (int cell = from & -ROW; cell < to; cell += ROW) {
      open(cell);
    }
  }

  /** A workgroup takes over LDS: what another one did to it is long gone. */
  void begin(GroupRaces group) {
    Arrays.fill(rowWriters, 0);
    Arrays.fill(rowReaders, 0);
    Arrays.fill(rowOtherReaders, 0);
    updates = Updates.fits(words, group) ? Updates.of(updates, words, group) : null;
  }

  /** Those of LDS, where they are kept apart. */
  @Nullable Updates updates() {
    return updates;
  }

  private void spread(int row) {
    boolean updated = rowWriters[row] == UPDATED;
    if (updated) {
      rowWriters[row] = Objects.requireNonNull(updates).former(row);
    }
    if (writers.length == 0) {
      writers = new long[words];
      writes = new int[words];
      readers = new long[words];
      reads = new int[words];
    }
    int from = row << ROW_BITS;
    int to = Math.min(words, from + ROW);
    spread(writers, writes, from, to, rowWriters[row], rowWrites[row]);
    spread(readers, reads, from, to, rowReaders[row], rowReads[row]);
    if (otherReaders != null || rowOtherReaders[row] != 0) {
      spread(
          makeOtherReaders(),
          Objects.requireNonNull(otherReads),
          from,
          to,
          rowOtherReaders[row],
          rowOtherReads[row]);
    }
    if (otherWriters != null) {
      Arrays.fill(otherWriters, from, to, 0);
    }
    rowWriters[row] = EACH;
    if (updated) {
      for (int cell = from; cell < to; cell++) {
        Objects.requireNonNull(updates).giveUp(this, cell);
      }
    }
  }

  private static void spread(long[] epochs, int[] infos, int from, int to, long epoch, int info) {
    Arrays.fill(epochs, from, to, epoch);
    if (epoch != 0) {
      int shift = PackedAccess.bytes(info);
      int whole = PackedAccess.withBytes(info, PackedAccess.ALL_BYTES);
      for (int i = from; i < to; i++) {
        infos[i] = PackedAccess.nextLane(whole, (i - from) >> shift);
      }
    }
  }

  /** All words of a row were written by one wave. */
  void writeRow(int row, long epoch, int info) {
    rowWriters[row] = epoch;
    rowWrites[row] = info;
    rowReaders[row] = 0;
    rowOtherReaders[row] = 0;
  }

  /** The first word after one whose entry may be another one. */
  int next(int cell) {
    return rowWriters[cell >>> ROW_BITS] == EACH ? cell + 1 : (cell & -ROW) + ROW;
  }

  /** The last writer of a word, and what is kept of it. */
  long writer(int cell) {
    long epoch = rowWriters[cell >>> ROW_BITS];
    return epoch == EACH ? writers[cell] : epoch;
  }

  int write(int cell) {
    int row = cell >>> ROW_BITS;
    return rowWriters[row] == EACH ? writes[cell] : ofRow(rowWrites[row], cell);
  }

  /** The last reader of a word, and what is kept of it. */
  long reader(int cell) {
    int row = cell >>> ROW_BITS;
    return rowWriters[row] == EACH ? readers[cell] : rowReaders[row];
  }

  int read(int cell) {
    int row = cell >>> ROW_BITS;
    return rowWriters[row] == EACH ? reads[cell] : ofRow(rowReads[row], cell);
  }

  private static int ofRow(int info, int cell) {
    return PackedAccess.nextLane(
        PackedAccess.withBytes(info, PackedAccess.ALL_BYTES),
        (cell & ROW - 1) >> PackedAccess.bytes(info));
  }

  /** One lane has accessed some words, and is the last to write or to read them. */
  void fill(int from, int to, long epoch, int info, boolean asWriter) {
    for (int start = from; start < to; ) {
      int row = start >>> ROW_BITS;
      int end = Math.min(to, (row + 1) << ROW_BITS);
      if (end - start == ROW && rowWriters[row] != EACH) {
        (asWriter ? rowWriters : rowReaders)[row] = epoch;
        (asWriter ? rowWrites : rowReads)[row] = rowInfo(info, ALL_OF_LANE);
      } else {
        open(start);
        Arrays.fill(asWriter ? writers : readers, start, end, epoch);
        Arrays.fill(asWriter ? writes : reads, start, end, info);
      }
      start = end;
    }
  }

  /** Whether an atomic has used any of the words. */
  boolean hasLocations() {
    return locations != null;
  }

  /** Whether some words have one last writer, or one last reader, and no second one. */
  static boolean isOnly(long epoch, long[] last, long @Nullable [] others, int from, int to) {
    long differ = 0;
    for (int i = from; i < to; i++) {
      differ |= last[i] ^ epoch;
    }
    return differ == 0 && hasNone(others, from, to);
  }

  private static boolean hasNone(long @Nullable [] others, int from, int to) {
    long any = 0;
    if (others != null) {
      for (int i = from; i < to; i++) {
        any |= others[i];
      }
    }
    return any == 0;
  }

  /** Whether some words have one last reader, whatever their second ones are. */
  static boolean isOnly(long epoch, long[] last, int from, int to) {
    return isOnly(epoch, last, null, from, to);
  }

  Location location(int cell) {
    if (locations == null) {
      locations = new Location[words];
    }
    Location at = locations[cell];
    if (at == null) {
      at = new Location();
      locations[cell] = at;
    }
    return at;
  }

  /** Null where no atomic has used the word. */
  @Nullable Location usedLocation(int cell) {
    return locations == null ? null : locations[cell];
  }

  /** Whether all accesses of a word that are kept are updates of all of it; the row is open. */
  boolean hasOnlyUpdates(int cell) {
    return readers[cell] == 0
        && (writers[cell] == 0 || PackedAccess.isWholeUpdate(writes[cell]))
        && (otherReaders == null || otherReaders[cell] == 0)
        && (otherWriters == null
            || otherWrites == null
            || otherWriters[cell] == 0
            || PackedAccess.isWholeUpdate(otherWrites[cell]));
  }

  /** The second last writer of a word; 0 for none. */
  long otherWriter(int cell) {
    return otherWriters == null ? 0 : otherWriters[cell];
  }

  /** Nobody is a second one at a word. */
  void forgetOthers(int cell) {
    if (otherWriters != null) {
      otherWriters[cell] = 0;
    }
    if (otherReaders != null) {
      otherReaders[cell] = 0;
    }
  }

  void forgetOtherWriter(int cell) {
    Objects.requireNonNull(otherWriters)[cell] = 0;
  }

  /** Nobody was at some words. */
  void clear(int from, int to) {
    for (int start = from; start < to; ) {
      int row = start >>> ROW_BITS;
      int end = Math.min(to, (row + 1) << ROW_BITS);
      if (end - start == ROW) {
        writeRow(row, 0, 0);
      } else {
        open(start);
        Arrays.fill(writers, start, end, 0);
        Arrays.fill(readers, start, end, 0);
        if (otherWriters != null) {
          Arrays.fill(otherWriters, start, end, 0);
        }
        if (otherReaders != null) {
          Arrays.fill(otherReaders, start, end, 0);
        }
      }
      start = end;
    }
  }

  void addOtherWriter(int cell, long epoch, int info) {
    if (otherWriters == null || otherWrites == null) {
      otherWriters = new long[words];
      otherWrites = new int[words];
    }
    otherWriters[cell] = epoch;
    otherWrites[cell] = info;
  }

  void addOtherReader(int cell, long epoch, int info) {
    makeOtherReaders()[cell] = epoch;
    Objects.requireNonNull(otherReads)[cell] = info;
  }

  private long[] makeOtherReaders() {
    if (otherReaders == null || otherReads == null) {
      otherReaders = new long[words];
      otherReads = new int[words];
    }
    return otherReaders;
  }

  /**
   * Lanes that follow each other load words that follow each other. Their rows are open.
   *
   * @param info of lane 0
   * @param firstLane whose the first word is
   * @param each words of a lane
   * @param asOther whether another reader stays the first one of these words
   */
  void read(int from, int to, long epoch, int info, int firstLane, int each, boolean asOther) {
    Arrays.fill(asOther ? makeOtherReaders() : readers, from, to, epoch);
    fill(asOther ? Objects.requireNonNull(otherReads) : reads, from, to, info, firstLane, each);
  }

  /** Lanes that follow each other store words that follow each other; who read them is done. */
  void write(int from, int to, long epoch, int info, int firstLane, int each) {
    Arrays.fill(writers, from, to, epoch);
    fill(writes, from, to, info, firstLane, each);
    Arrays.fill(readers, from, to, 0);
  }

  private static void fill(int[] all, int from, int to, int info, int firstLane, int each) {
    int lane = firstLane;
    for (int i = from; i < to; lane++) {
      int mine = PackedAccess.inLane(info, lane);
      for (int w = 0; w < each; w++) {
        all[i++] = mine;
      }
    }
  }
}
