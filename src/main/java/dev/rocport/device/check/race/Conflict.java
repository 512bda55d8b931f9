package dev.rocport.device.check.race;

import dev.rocport.device.wave.Code;

/** Two accesses that race, with the lanes of each that do. */
final class Conflict {
  final WaveClock wave;

  /** The index of the instruction of the second access. */
  final int pc;

  /** Who made the first access. */
  final long other;

  /** The index of the instruction of the first access; 0 if that was no kernel's. */
  final int otherPc;

  private final int otherPlace;
  final boolean otherStored;
  final boolean otherAtomic;
  final boolean stores;
  final boolean atomic;
  final boolean inLds;

  /** Whether both store the same value. */
  final boolean sameValue;

  /** Whether the first access was released and that was seen, but no acquire has followed. */
  final boolean notAcquired;

  private long lanes;
  private long otherLanes;

  Conflict(
      WaveClock wave,
      int pc,
      long other,
      int otherPc,
      int how,
      boolean otherStored,
      boolean stores,
      boolean atomic,
      boolean inLds,
      boolean sameValue,
      boolean notAcquired) {
    this.wave = wave;
    this.pc = pc;
    this.other = other;
    this.otherPc = otherPc;
    this.otherPlace = PackedAccess.place(how);
    this.otherAtomic = PackedAccess.isAtomic(how);
    this.otherStored = otherStored;
    this.stores = stores;
    this.atomic = atomic;
    this.inLds = inLds;
    this.sameValue = sameValue;
    this.notAcquired = notAcquired;
  }

  /** Whether this is a plain load followed by a compare-and-swap. */
  boolean isPlainLoadBefore(Code code) {
    return !otherStored && !otherAtomic && atomic && CellAccess.isSwap(code.at(pc).instruction());
  }

  /** Whether this is a compare-and-swap followed by a plain load. */
  boolean isPlainLoadBehind(Code code) {
    return otherStored
        && otherAtomic
        && !stores
        && !atomic
        && CellAccess.isSwap(code.at(otherPc).instruction());
  }

  /** The number of the instruction of the first access, for {@link PackedAccess}. */
  int otherPlace() {
    return otherPlace;
  }

  boolean isWith(long actor, int how) {
    return other == actor && otherPlace == PackedAccess.place(how);
  }

  void add(int lane, int otherLane) {
    lanes |= 1L << lane;
    otherLanes |= 1L << otherLane;
  }

  long lanes() {
    return lanes;
  }

  long otherLanes() {
    return otherLanes;
  }
}
