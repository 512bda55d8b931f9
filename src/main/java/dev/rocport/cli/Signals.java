package dev.rocport.cli;

import dev.rocport.source.TreeWriter;

/** Ends a run that a signal interrupts so that no unfinished file is left. */
final class Signals {
  private Signals() {}

  /**
   * From now on the end of the program waits for the files that are being finished. The exit code
   * of an interrupted program is 130, as the shell expects it; the virtual machine sees to that.
   */
  static void guard(TreeWriter writer) {
    Runtime.getRuntime().addShutdownHook(new Thread(writer::stop, "rocport-end"));
  }
}
