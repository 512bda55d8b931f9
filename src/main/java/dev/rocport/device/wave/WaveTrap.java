package dev.rocport.device.wave;

/** A condition that stops a wave: a trap, an undefined or missing opcode, an invalid jump. */
public final class WaveTrap extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean missing;

  public WaveTrap(String message) {
    this(message, false);
  }

  private WaveTrap(String message, boolean missing) {
    super(message, null, false, false);
    this.missing = missing;
  }

  /** Something that real hardware has and this device has not. */
  public static WaveTrap missing(String message) {
    return new WaveTrap(message, true);
  }

  /** Whether the device is to blame, and not the program. */
  public boolean isMissing() {
    return missing;
  }
}
