package dev.rocport.device.check;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An error in a program that a check has detected.
 *
 * @param certainty whether it is wrong for sure, only possibly, or known to do no harm
 * @param title one line: what is wrong
 * @param site where it shows
 * @param others what it takes part with: the second access of a race, the store that was missed
 * @param why what follows from it, and on which hardware
 * @param advice what to do
 */
public record Finding(
    Check check,
    Certainty certainty,
    String title,
    Site site,
    List<Site> others,
    String why,
    String advice) {

  /** Whether the whole finding is in a library of algorithms that comes with the toolchain. */
  public boolean isOfLibrary() {
    return site.isOfLibrary() && others.stream().allMatch(Site::isOfLibrary);
  }

  /** Whether it is only a note. */
  public boolean isBenign() {
    return certainty == Certainty.BENIGN;
  }

  /** The check that has found it, and how sure it is, in words. */
  String kind() {
    return certainty.word() + check.word();
  }

  /**
   * What makes two findings the same one, seen twice: the same lines, in whichever order and in
   * whichever kernels they run.
   */
  String key() {
    return Stream.concat(Stream.of(site), others.stream())
        .map(Finding::place)
        .sorted()
        .collect(Collectors.joining("|", kind() + "|" + title + "|", ""));
  }

  private static String place(Site site) {
    return site.source().isEmpty() ? site.kernel() + "@" + site.pc() : site.source();
  }
}
