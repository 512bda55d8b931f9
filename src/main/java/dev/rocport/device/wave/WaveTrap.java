package dev.rocport.device.wave;

/** A wave cannot go on: a trap, an undefined or missing opcode, a broken jump. */
public final class WaveTrap extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WaveTrap(String message) {
    super(message, null, false, false);
  }
}
