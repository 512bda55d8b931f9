package dev.rocport.device.dispatch;

/**
 * The reason why a kernel was stopped.
 *
 * @param message all that is known: kernel, source line, block, wave, lane, address
 */
public record KernelFault(Kind kind, String message) {
  /** What happened. */
  public enum Kind {
    MEMORY,
    TRAP,
    /** Its waves wait for what can not come, or have made no progress for too long. */
    STALLED,
    UNSUPPORTED,
    CANCELLED
  }
}
