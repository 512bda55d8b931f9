package dev.rocport.device.isa;

/** Bits that do not encode an instruction of the target. */
public final class UndefinedOpcodeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int first;
  private final int second;

  UndefinedOpcodeException(Target target, Words words) {
    super(
        String.format(
            "undefined instruction of %s: %08x %08x", target.arch(), words.first(), words.peek()));
    this.first = words.first();
    this.second = words.peek();
  }

  /** The first 32 bits. */
  public int first() {
    return first;
  }

  /** The 32 bits after the first, 0 at the end of the code. */
  public int second() {
    return second;
  }
}
