package dev.rocport.build.cmake;

import java.util.List;
import java.util.Locale;

/**
 * A command as written.
 *
 * @param file path relative to the project's root
 * @param line 1-based
 * @param arguments not yet expanded
 */
record Call(String file, int line, String name, List<Argument> arguments) {

  /**
   * An argument.
   *
   * @param quoted it stays one argument whatever its variables hold
   * @param literal in brackets: nothing in it is expanded
   */
  record Argument(String text, boolean quoted, boolean literal) {}

  Call {
    name = name.toLowerCase(Locale.ROOT);
    arguments = List.copyOf(arguments);
  }

  CMakeException error(String message) {
    return new CMakeException(file, line, message);
  }

  /** The command is not followed. */
  CMakeException unsupported(String what) {
    return error(what + " is not followed; build with --plain, or through make");
  }
}
