package dev.rocport.git;

import java.util.BitSet;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which lines of the files of a tree differ from a commit. Paths are those of the tree. */
public final class ChangedLines {
  /** In place of a line: the file is new, or is not compared by line. */
  private static final int WHOLE = 0;

  private final SortedMap<String, BitSet> files;

  /**
   * @param files by path; lines are 1-based
   */
  ChangedLines(SortedMap<String, BitSet> files) {
    this.files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }

  /** Returns the lines of a file that is new, or that is not compared by line. */
  static BitSet all() {
    BitSet lines = new BitSet();
    lines.set(WHOLE);
    return lines;
  }

  /** Returns the files with a difference, including those that have only lost lines. */
  public Set<String> paths() {
    return files.keySet();
  }

  /** Returns the lines as they are kept. */
  SortedMap<String, BitSet> lines() {
    return files;
  }

  /**
   * Returns whether a stretch of a file has a changed line.
   *
   * @param first 1-based; 0 for the whole file
   * @param last the last line of the stretch
   */
  public boolean touches(String path, int first, int last) {
    BitSet lines = files.get(path);
    if (lines == null) {
      return false;
    }
    int next = lines.nextSetBit(first);
    return first == 0 || lines.get(WHOLE) || (next >= 0 && next <= last);
  }
}
