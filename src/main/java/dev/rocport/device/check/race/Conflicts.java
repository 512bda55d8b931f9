package dev.rocport.device.check.race;

import org.jspecify.annotations.Nullable;

/**
 * Collects the earlier accesses with which an access of a wave conflicts. Lanes that conflict with
 * the same earlier access are reported together, when the next conflict begins or the access ends.
 */
final class Conflicts {
  private final LaunchRaces launch;

  // the access; begin sets these
  private @Nullable WaveClock me;
  private int info;
  private boolean stores;
  private boolean atomic;
  private boolean inLds;

  private @Nullable Conflict conflict;

  /** Stores of one value that nothing orders. */
  private @Nullable Conflict agreement;

  Conflicts(LaunchRaces launch) {
    this.launch = launch;
  }

  /** An access begins. */
  void begin(WaveClock wave, int itsInfo, boolean isStore, boolean isAtomic, boolean isOfLds) {
    me = wave;
    info = itsInfo;
    stores = isStore;
    atomic = isAtomic;
    inLds = isOfLds;
  }

  /** Whether a conflict is not told yet, other than one of stores of one value. */
  boolean hasOpen() {
    return conflict != null;
  }

  /** Whether the same pair of instructions is known to race, so that no value matters. */
  boolean hasRaced(long other, int how) {
    return launch.hasRaced(launchOf(other), PackedAccess.place(how), PackedAccess.place(info));
  }

  /** Whether the instruction and that of the other access did not agree before. */
  boolean isNewAgreement(long other, int how) {
    return launch.isNewAgreement(
        launchOf(other), PackedAccess.place(how), PackedAccess.place(info));
  }

  /** Adds a lane to the conflict that is open, if it is with the same other access. */
  boolean goesOn(long other, int how, int lane, boolean sameValue) {
    Conflict now = sameValue ? agreement : conflict;
    if (now == null || !now.isWith(Epoch.actor(other), how)) {
      return false;
    }
    now.add(lane, PackedAccess.lane(how));
    return true;
  }

  /** A conflict with another access begins, unless this pair of instructions was told before. */
  void begins(long other, int how, int lane, boolean wrote, boolean sameValue) {
    if (sameValue) {
      tellAgreement();
      agreement = between(other, how, lane, wrote, true);
      return;
    }
    tellConflict();
    if (launch.isNew(launchOf(other), PackedAccess.place(how), PackedAccess.place(info))) {
      conflict = between(other, how, lane, wrote, false);
    }
  }

  /** The access has ended. */
  void tell() {
    tellConflict();
    tellAgreement();
  }

  private static int launchOf(long other) {
    return Epoch.launch(Epoch.actor(other));
  }

  private Conflict between(long other, int how, int lane, boolean wrote, boolean sameValue) {
    WaveClock wave = me;
    if (wave == null) {
      throw new IllegalStateException("no access has begun");
    }
    Conflict now =
        new Conflict(
            wave,
            launch.pc(info),
            Epoch.actor(other),
            launch.pcOf(launchOf(other), how),
            how,
            wrote,
            stores,
            atomic,
            inLds,
            sameValue,
            wave.hasSeen(other));
    now.add(lane, PackedAccess.lane(how));
    return now;
  }

  private void tellConflict() {
    Conflict now = conflict;
    if (now != null) {
      conflict = null;
      launch.tell(now);
    }
  }

  private void tellAgreement() {
    Conflict now = agreement;
    if (now != null) {
      agreement = null;
      launch.tellAgreement(now);
    }
  }
}
