package dev.rocport.toolchain;

/**
 * Thrown if there is no usable toolchain; the message says what is wrong and what to do. Exit code
 * 3.
 */
public class ToolchainException extends Exception {
  private static final long serialVersionUID = 1L;

  public ToolchainException(String message) {
    super(message);
  }

  public ToolchainException(String message, Throwable cause) {
    super(message, cause);
  }
}
