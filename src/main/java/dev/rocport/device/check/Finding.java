package dev.rocport.device.check;

import java.util.List;

/**
 * An error in a program that a check has detected.
 *
 * @param certain whether it is wrong for sure, or only possibly
 * @param title one line: what is wrong
 * @param site where it shows
 * @param others what it takes part with: the second access of a race, the store that was missed
 * @param why what follows from it, and on which hardware
 * @param advice what to do
 */
public record Finding(
    Check check,
    boolean certain,
    String title,
    Site site,
    List<Site> others,
    String why,
    String advice) {

  /** Whether the whole finding is in a library of algorithms that comes with the toolchain. */
  public boolean isOfLibrary() {
    return site.isOfLibrary() && others.stream().allMatch(Site::isOfLibrary);
  }

  /** What makes two findings the same one, seen twice. */
  String key() {
    StringBuilder key = new StringBuilder(check.word() + "|" + title + "|" + place(site));
    others.stream().map(Finding::place).forEach(p -> key.append('|').append(p));
    return key.toString();
  }

  private static String place(Site site) {
    return site.kernel() + "@" + (site.source().isEmpty() ? "" + site.pc() : site.source());
  }
}
