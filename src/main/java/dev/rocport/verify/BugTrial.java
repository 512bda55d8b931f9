package dev.rocport.verify;

import dev.rocport.device.check.Check;
import java.util.List;

/**
 * The results of the checks for one planted bug on one target.
 *
 * @param name of the program
 * @param blind whether it was written by somebody who had not seen the checks
 * @param found titles of the findings of its check that name a marked line
 * @param elsewhere findings of its check with the bug that are at no marked line, with their place
 * @param mended what was found in the mended program, which has to be nothing
 * @param wrong what else is not as it has to be: the mended program does not print PASS; empty if
 *     nothing
 * @param unrun why a run says nothing about the checks, such as a program that got no device; empty
 *     if both ran
 */
public record BugTrial(
    String name,
    boolean blind,
    Check check,
    String target,
    List<String> found,
    List<String> elsewhere,
    List<String> mended,
    String wrong,
    String unrun) {

  public BugTrial {
    found = List.copyOf(found);
    elsewhere = List.copyOf(elsewhere);
    mended = List.copyOf(mended);
  }

  /** Whether the program ran on the device, with the bug and without; else this is no result. */
  public boolean ran() {
    return unrun.isEmpty();
  }

  /** Whether the bug was found where it is. */
  public boolean isFound() {
    return !found.isEmpty();
  }

  /** Whether nothing was found where nothing is. */
  public boolean isClean() {
    return mended.isEmpty() && wrong.isEmpty();
  }
}
