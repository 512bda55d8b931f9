package dev.rocport.cli.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The edit distance between two names. */
public final class EditDistance {
  private EditDistance() {}

  private static final int SUGGESTIONS = 5;

  /** The names most like one that is not there, the most alike first. */
  public static List<String> nearest(String what, Collection<String> names) {
    return names.stream()
        .distinct()
        .sorted(
            Comparator.<String>comparingInt(k -> unlikeness(what, k))
                .thenComparing(Comparator.naturalOrder()))
        .limit(SUGGESTIONS)
        .toList();
  }

  /** The distance, but a shared beginning makes names more alike: CUDA's parts go by prefix. */
  static int unlikeness(String a, String b) {
    int shared = 0;
    while (shared < Math.min(a.length(), b.length()) && same(a.charAt(shared), b.charAt(shared))) {
      shared++;
    }
    return 2 * between(a, b) - shared;
  }

  /** Insertions, deletions, replacements and swaps of neighbours; case does not count. */
  public static int between(String a, String b) {
    int[] before = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int cost = same(a.charAt(i - 1), b.charAt(j - 1)) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + cost);
        if (i > 1
            && j > 1
            && same(a.charAt(i - 1), b.charAt(j - 2))
            && same(a.charAt(i - 2), b.charAt(j - 1))) {
          row[j] = Math.min(row[j], before[j - 2] + 1);
        }
      }
      before = last;
      last = row;
    }
    return last[b.length()];
  }

  private static boolean same(char a, char b) {
    return Character.toLowerCase(a) == Character.toLowerCase(b);
  }
}
