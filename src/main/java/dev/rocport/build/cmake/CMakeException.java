package dev.rocport.build.cmake;

/** A construct that is not followed; the message begins with file and line. */
public final class CMakeException extends Exception {
  private static final long serialVersionUID = 1L;

  CMakeException(String file, int line, String message) {
    super(file + ":" + line + ": " + message);
  }
}
