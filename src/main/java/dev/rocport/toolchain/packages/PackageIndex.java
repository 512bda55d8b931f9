package dev.rocport.toolchain.packages;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which versions of which packages the suites have, as {@code apt-cache madison} prints it.
 *
 * @param entries in the order printed, highest version first
 */
record PackageIndex(List<Entry> entries) {

  /** One version in one suite. */
  record Entry(String name, String version, String suite) {
    /** As {@code apt-get download} takes it. */
    String pinned() {
      return name + "=" + version;
    }
  }

  PackageIndex {
    entries = List.copyOf(entries);
  }

  /** Lines are {@code name | version | URI suite/component arch Packages}. */
  static PackageIndex parse(String madison) {
    List<Entry> found = new ArrayList<>();
    for (String line : madison.lines().toList()) {
      String[] columns = line.split("\\|");
      String[] place = columns.length < 3 ? new String[0] : columns[2].strip().split("\\s+");
      if (place.length > 1 && place[1].contains("/") && !line.endsWith("Sources")) {
        String suite = place[1].substring(0, place[1].indexOf('/'));
        found.add(new Entry(columns[0].strip(), columns[1].strip(), suite));
      }
    }
    return new PackageIndex(found);
  }

  /** The package from the first of these suites that has it. */
  Optional<Entry> pick(String name, List<String> suites) {
    for (String suite : suites) {
      for (Entry e : entries) {
        if (e.name().equals(name) && e.suite().equals(suite)) {
          return Optional.of(e);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The package {@code prefix} + N with the highest N up to a limit, from any of these suites.
   *
   * @param prefix name up to its number
   */
  Optional<Entry> pickNumbered(String prefix, int limit, List<String> suites) {
    int best = -1;
    for (Entry e : entries) {
      if (e.name().startsWith(prefix) && suites.contains(e.suite())) {
        String tail = e.name().substring(prefix.length());
        int number = tail.matches("\\d{1,4}") ? Integer.parseInt(tail) : -1;
        best = number <= limit ? Math.max(best, number) : best;
      }
    }
    return best < 0 ? Optional.empty() : pick(prefix + best, suites);
  }
}
