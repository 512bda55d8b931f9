package dev.rocport.core.result;

/**
 * An estimate of the remaining work.
 *
 * @param minutes engineer time in minutes
 * @param size its size class
 */
public record Effort(int minutes, Size size) {
  public static final Effort NONE = new Effort(0, Size.NONE);

  /** Classes of effort, in order. */
  public enum Size {
    NONE,
    TRIVIAL,
    SMALL,
    MEDIUM,
    LARGE,
    RESEARCH;

    /** The name as written in rules and reports. */
    public String label() {
      return switch (this) {
        case NONE -> "none";
        case TRIVIAL -> "trivial";
        case SMALL -> "small";
        case MEDIUM -> "medium";
        case LARGE -> "large";
        case RESEARCH -> "research";
      };
    }
  }

  /**
   * The time in the largest fitting units, days of eight hours: {@code 2 d 3 h}, {@code 25 min}.
   */
  public static String time(int minutes) {
    int hours = minutes / 60;
    if (hours >= 16) {
      return hours / 8 + " d" + (hours % 8 == 0 ? "" : " " + hours % 8 + " h");
    }
    if (hours >= 1) {
      return hours + " h" + (minutes % 60 == 0 ? "" : " " + minutes % 60 + " min");
    }
    return minutes + " min";
  }
}
