package dev.rocport.doctor;

/**
 * The result of one examination.
 *
 * @param section what it is about
 * @param name what was looked at
 * @param status how it stands
 * @param found what is there
 * @param why what comes of it; empty where all is well
 * @param fix what to do about it; empty where nothing is to be done
 * @param shell a line for a POSIX shell that does it; empty where people must
 */
public record Observation(
    Section section,
    String name,
    Status status,
    String found,
    String why,
    String fix,
    String shell) {
  private static final int LONGEST = 300;

  public Observation {
    found = shortened(found);
  }

  /** Something that is as it should be. */
  static Observation ok(Section section, String name, String found) {
    return new Observation(section, name, Status.OK, found, "", "", "");
  }

  /** A problem for people to fix. */
  static Observation of(
      Section section, String name, Status status, String found, String why, String fix) {
    return new Observation(section, name, status, found, why, fix, "");
  }

  /** Values may have any length; the end of a long one adds little. */
  private static String shortened(String text) {
    if (text.codePointCount(0, text.length()) <= LONGEST) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "…";
  }
}
