package dev.rocport.commandline;

/**
 * The flag that makes errors of the warnings of a host compiler. The functions of HIP are {@code
 * nodiscard}, and those of CUDA are not, so that the flag needs an exception.
 */
public final class HostWarnings {
  public static final String ERRORS = "-Werror";

  /** The exception, for gcc and clang. */
  public static final String EXCEPTION = "-Wno-error=unused-result";

  private HostWarnings() {}
}
