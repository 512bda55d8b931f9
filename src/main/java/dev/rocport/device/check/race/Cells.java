package dev.rocport.device.check.race;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who was last at each of some words of 32 bits: the last to write and the last to read, and where
 * several did that nothing orders, or that took other bytes, a second of each. A third that takes
 * the place of a second is forgotten: that may hide a race, and never makes one up.
 */
final class Cells {
  final long[] writers;
  final int[] writes;
  final long[] readers;
  final int[] reads;
  long @Nullable [] otherWriters;
  int @Nullable [] otherWrites;
  long @Nullable [] otherReaders;
  int @Nullable [] otherReads;

  /** The words that atomics have used. */
  private Location @Nullable [] locations;

  Cells(int words) {
    writers = new long[words];
    writes = new int[words];
    readers = new long[words];
    reads = new int[words];
  }

  void fill(int from, int to, long epoch, int info, boolean asWriter) {
    Arrays.fill(asWriter ? writers : readers, from, to, epoch);
    Arrays.fill(asWriter ? writes : reads, from, to, info);
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
      locations = new Location[writers.length];
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

  void clear(int from, int to) {
    Arrays.fill(writers, from, to, 0);
    Arrays.fill(readers, from, to, 0);
    if (otherWriters != null) {
      Arrays.fill(otherWriters, from, to, 0);
    }
    if (otherReaders != null) {
      Arrays.fill(otherReaders, from, to, 0);
    }
  }

  void addOtherWriter(int cell, long epoch, int info) {
    if (otherWriters == null || otherWrites == null) {
      otherWriters = new long[writers.length];
      otherWrites = new int[writers.length];
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
      otherReaders = new long[readers.length];
      otherReads = new int[readers.length];
    }
    return otherReaders;
  }

  /**
   * Lanes that follow each other load words that follow each other.
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
