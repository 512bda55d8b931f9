package dev.rocport.device.check;

import java.util.Locale;

/** A class of errors that the device detects on request. */
public enum Check {
  /** An unwritten value reaches a branch, an address or memory. */
  UNINIT(0),
  /** Two accesses of the same bytes, one of them a store, that nothing orders. */
  RACE(1),
  /** Lanes, waves or workgroups that are not where others count on them. */
  SYNC(2),
  /** Memory and copies as late and as stale as the memory model allows. */
  ORDER(3);

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
