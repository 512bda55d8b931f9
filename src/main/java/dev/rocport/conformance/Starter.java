package dev.rocport.conformance;

import dev.rocport.io.process.Exec;
import java.util.List;

/** Starts programs of a suite. */
@FunctionalInterface
interface Starter {
  /**
   * The program, not started yet.
   *
   * @param program file name
   * @param arguments beyond those of the suite
   */
  Exec program(String program, List<String> arguments);
}
