package dev.rocport.build.cmake;

/** Version numbers, compared part by part. */
final class Versions {
  private Versions() {}

  static int compare(String a, String b) {
    String[] x = a.split("\\.");
    String[] y = b.split("\\.");
    for (int i = 0; i < Math.max(x.length, y.length); i++) {
      int order = Long.compare(part(x, i), part(y, i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static long part(String[] parts, int i) {
    String digits = i < parts.length ? parts[i].replaceFirst("\\D.*$", "") : "";
    return digits.isEmpty() || digits.length() > 15 ? 0 : Long.parseLong(digits);
  }
}
