package dev.rocport.device.check;

/** How sure a finding is. */
public enum Certainty {
  /** The program is wrong. */
  CERTAIN(""),
  /** The machine code does not show whether it is wrong. */
  POSSIBLE("possible "),
  /** What was found is known to do no harm as it was seen; a note, not a defect. */
  BENIGN("benign ");

  private final String word;

  Certainty(String word) {
    this.word = word;
  }

  /** That of a finding that is certain, or only possible. */
  public static Certainty of(boolean certain) {
    return certain ? CERTAIN : POSSIBLE;
  }

  /** What stands before the name of the check, with a space after it; empty if certain. */
  public String word() {
    return word;
  }
}
