package dev.rocport.device.check.copies;

import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;

/**
 * Finds kernel accesses to memory that an asynchronous copy or fill uses, if no stream and no event
 * orders the two. The program runs as if such copies had not begun.
 */
public final class CopyChecker implements Checker {
  private final Findings findings;

  public CopyChecker(Findings findings) {
    this.findings = findings;
  }

  @Override
  public LaunchWatch launch(LaunchView launch) {
    return launch.concurrent().isEmpty() ? LaunchWatch.NONE : new LaunchCopies(launch, findings);
  }
}
