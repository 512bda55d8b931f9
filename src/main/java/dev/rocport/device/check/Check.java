package dev.rocport.device.check;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A class of errors that the device detects on request. */
public enum Check {
  /** An unwritten value reaches a branch, an address or memory. */
  UNINIT(0),
  /** Two accesses of the same bytes, one of them a store, that nothing orders. */
  RACE(1),
  /** Lanes, waves or workgroups that are not where others count on them. */
  SYNC(2),
  /** Memory and copies as late and as stale as the memory model allows. */
  ORDER(3),
  /**
   * Accesses outside allocations and outside the LDS. Accesses outside allocations are faults in
   * every run; with this check or any other one except {@link #ORDER}, those outside the LDS are,
   * too.
   */
  MEMORY(4);

  /** What {@code all} stands for: each of them implies {@link #MEMORY}, or all together do. */
  public static final Set<Check> ALL =
      Collections.unmodifiableSet(EnumSet.of(UNINIT, RACE, SYNC, ORDER));

  private final int number;

  Check(int number) {
    this.number = number;
  }

  /** Its number in messages. */
  public int number() {
    return number;
  }

  /** The word for the command line and for reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
