package dev.rocport.cli.support;

import dev.rocport.core.source.TreeWriter;

/** Ends a run that a signal interrupts without leaving unfinished files. */
public final class Signals {
  private static volatile boolean ending;

  private Signals() {}

  /**
   * From now on the end of the program waits for the files that are being finished. The exit code
   * of an interrupted program is 130, as the shell expects it; the virtual machine sees to that.
   */
  public static void guard(TreeWriter writer) {
    Runtime.getRuntime().addShutdownHook(new Thread(writer::stop, "rocport-end"));
  }

  /** From now on it is known when a signal ends the program. */
  public static void watch() {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> ending = true, "rocport-ending"));
  }

  /** Whether the program is being ended: what fails then fails because of that. */
  public static boolean isEnding() {
    return ending;
  }
}
