package dev.rocport.device.check.race;

import java.util.Arrays;
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
    if (otherReaders == null || otherReads == null) {
      otherReaders = new long[readers.length];
      otherReads = new int[readers.length];
    }
    otherReaders[cell] = epoch;
    otherReads[cell] = info;
  }
}
