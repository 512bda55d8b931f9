package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version as PEP 440 orders them, without epochs.
 *
 * @param numbers of the release
 * @param stage 0 for development, 1 to 3 for alpha, beta and candidate, 4 for the release itself, 5
 *     for what came after it
 * @param local the part after the plus sign
 */
record Release(List<Integer> numbers, int stage, String local) implements Comparable<Release> {
  private static final Pattern FORM =
      Pattern.compile(
          "(?i)v?(\\d{1,8}(?:\\.\\d{1,8}){0,9})[-_.]?(dev|a|b|c|rc|alpha|beta|pre|post|rev|r)?"
              + "[-_.\\d]*(?:\\.dev\\d*)?(?:\\+([a-z0-9._-]*))?");

  Release {
    numbers = List.copyOf(numbers);
  }

  /** Reads one; empty if it is invalid. */
  static Optional<Release> of(String text) {
    Matcher m = FORM.matcher(text.strip());
    if (!m.matches()) {
      return Optional.empty();
    }
    List<Integer> numbers = new ArrayList<>();
    for (String n : m.group(1).split("\\.", -1)) {
      numbers.add(Integer.valueOf(n));
    }
    String stage = m.group(2) == null ? "" : m.group(2).toLowerCase(Locale.ROOT);
    int order =
        switch (stage) {
          case "" -> 4;
          case "dev" -> 0;
          case "a", "alpha" -> 1;
          case "b", "beta" -> 2;
          case "c", "rc", "pre" -> 3;
          default -> 5;
        };
    return Optional.of(new Release(numbers, order, m.group(3) == null ? "" : m.group(3)));
  }

  /** Whether this begins with another's numbers. */
  boolean isIn(Release prefix) {
    for (int i = 0; i < prefix.numbers.size(); i++) {
      if (number(i) != prefix.number(i)) {
        return false;
      }
    }
    return true;
  }

  /** Without the last number: what {@code ~=} holds fast. */
  Release parent() {
    List<Integer> shorter = numbers.size() < 2 ? numbers : numbers.subList(0, numbers.size() - 1);
    return new Release(shorter, stage, local);
  }

  private int number(int i) {
    return i < numbers.size() ? numbers.get(i) : 0;
  }

  /** By numbers, then by stage; local parts do not count. */
  @Override
  public int compareTo(Release other) {
    for (int i = 0; i < Math.max(numbers.size(), other.numbers.size()); i++) {
      int c = Integer.compare(number(i), other.number(i));
      if (c != 0) {
        return c;
      }
    }
    return Integer.compare(stage, other.stage);
  }
}
