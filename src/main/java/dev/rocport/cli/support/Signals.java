package dev.rocport.cli.support;

import dev.rocport.core.source.TreeWriter;

/** Ends a run that a signal interrupts without leaving unfinished files. */
public final class Signals {
  private static volatile boolean ending;

  private Signals() {}

  /**
   * Makes the end of the program wait for files that are being written. The JVM sets the exit code
   * of an interrupted program to 130, as the shell expects.
   */
  public static void guard(TreeWriter writer) {
    Runtime.getRuntime().addShutdownHook(new Thread(writer::stop, "rocport-end"));
  }

  /** Records from now on when a signal ends the program. */
  public static void watch() {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> ending = true, "rocport-ending"));
  }

  /** Returns whether the program is ending, which can cause failures elsewhere. */
  public static boolean isEnding() {
    return ending;
  }
}
