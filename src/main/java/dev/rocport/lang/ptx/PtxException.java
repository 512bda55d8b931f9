package dev.rocport.lang.ptx;

/** Thrown for text that is not valid PTX, with the offset. */
public final class PtxException extends Exception {
  private static final long serialVersionUID = 1;
  private final int offset;

  PtxException(int offset, String message) {
    super(message);
    this.offset = offset;
  }

  /** Returns the offset in the text, in characters from 0. */
  public int offset() {
    return offset;
  }
}
