package dev.rocport.singlesource;

/**
 * Lines in one gate.
 *
 * @param from first line
 * @param to last line; {@code from - 1} for a position between two lines
 */
record Region(int from, int to) {
  boolean isEmpty() {
    return to < from;
  }

  int size() {
    return to - from + 1;
  }

  boolean holds(Region other) {
    return other.from >= from && other.to <= to;
  }
}
