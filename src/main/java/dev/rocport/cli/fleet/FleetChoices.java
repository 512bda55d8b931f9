package dev.rocport.cli.fleet;

import dev.rocport.cli.support.UsageException;

/** Checks that the commands share. */
final class FleetChoices {
  private FleetChoices() {}

  static void requireAtLeastOne(String option, long value) {
    if (value < 1) {
      throw new UsageException(option + " must be 1 or more, not " + value);
    }
  }
}
