package dev.rocport.device.dispatch;

/**
 * Why a kernel was stopped.
 *
 * @param message all that is known: kernel, source line, block, wave, lane, address
 */
public record KernelFault(Kind kind, String message) {
  /** What happened. */
  public enum Kind {
    MEMORY,
    TRAP,
    UNSUPPORTED,
    CANCELLED
  }
}
