package dev.rocport.device.check.copies;

import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;

/**
 * Finds accesses of kernels to memory that an asynchronous copy or fill uses, where no stream and
 * no event puts one before the other. The program is run so that such copies have not begun.
 */
public final class CopyChecker implements Checker {
  private final Findings findings;

  public CopyChecker(Findings findings) {
    this.findings = findings;
  }

  @Override
  public LaunchWatch launch(LaunchView launch) {
    return launch.meanwhile().isEmpty() ? LaunchWatch.NONE : new LaunchCopies(launch, findings);
  }
}
