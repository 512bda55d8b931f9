package dev.rocport.core.result;

/** Orders versions of the form {@code major.minor} or {@code major.minor.patch}. */
public final class Versions {
  private Versions() {}

  /** Compares two versions; missing parts count as 0. */
  public static int compare(String a, String b) {
    String[] x = a.split("\\.");
    String[] y = b.split("\\.");
    for (int i = 0; i < Math.max(x.length, y.length); i++) {
      int c = Integer.compare(part(x, i), part(y, i));
      if (c != 0) {
        return c;
      }
    }
    return 0;
  }

  private static int part(String[] v, int i) {
    try {
      return i < v.length ? Integer.parseInt(v[i]) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
