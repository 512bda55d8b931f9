package dev.rocport.device.dispatch;

/**
 * The reason why a kernel was stopped.
 *
 * @param message all that is known: kernel, source line, block, wave, lane, address
 * @param address what a wave accessed; 0 if it was no access, or one to a null pointer
 */
public record KernelFault(Kind kind, String message, long address) {
  public KernelFault(Kind kind, String message) {
    this(kind, message, 0);
  }

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
