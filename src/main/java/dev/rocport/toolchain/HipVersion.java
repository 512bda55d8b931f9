package dev.rocport.toolchain;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A HIP version as {@code hip/hip_version.h} states it: major, minor, patch. */
public record HipVersion(int major, int minor, int patch) implements Comparable<HipVersion> {
  /** The oldest version rocport builds with. */
  public static final HipVersion OLDEST = new HipVersion(5, 7, 0);

  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,9}))?.*");
  private static final Pattern DEFINE =
      Pattern.compile("(?m)^\\s*#\\s*define\\s+HIP_VERSION_(MAJOR|MINOR|PATCH)\\s+(\\d{1,9})\\b");
  private static final Comparator<HipVersion> ORDER =
      Comparator.comparingInt(HipVersion::major)
          .thenComparingInt(HipVersion::minor)
          .thenComparingInt(HipVersion::patch);

  /**
   * Reads {@code 6.4}, {@code 6.4.3} or {@code 6.4.43484-123abc}.
   *
   * @throws IllegalArgumentException when the text does not begin with a version
   */
  public static HipVersion parse(String text) {
    Matcher m = TEXT.matcher(text.strip());
    if (!m.matches()) {
      throw new IllegalArgumentException("not a HIP version: " + text);
    }
    String patch = m.group(3);
    return new HipVersion(
        Integer.parseInt(m.group(1)),
        Integer.parseInt(m.group(2)),
        patch == null ? 0 : Integer.parseInt(patch));
  }

  /** Reads the text of {@code hip/hip_version.h}; empty when it defines no major and minor. */
  public static Optional<HipVersion> fromHeader(String header) {
    int[] parts = {-1, -1, 0};
    Matcher m = DEFINE.matcher(header);
    while (m.find()) {
      int at =
          switch (m.group(1)) {
            case "MAJOR" -> 0;
            case "MINOR" -> 1;
            default -> 2;
          };
      parts[at] = Integer.parseInt(m.group(2));
    }
    return parts[0] < 0 || parts[1] < 0
        ? Optional.empty()
        : Optional.of(new HipVersion(parts[0], parts[1], parts[2]));
  }

  public boolean atLeast(HipVersion other) {
    return compareTo(other) >= 0;
  }

  @Override
  public int compareTo(HipVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
