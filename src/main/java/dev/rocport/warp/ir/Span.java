package dev.rocport.warp.ir;

/**
 * Bytes of a file.
 *
 * @param start first byte
 * @param end after the last byte
 * @param editable false inside a macro expansion, where the bytes are the whole use of the macro
 */
public record Span(int start, int end, boolean editable) {
  /** Stands for the place of what has none. */
  public static final Span NOWHERE = new Span(0, 0, false);
}
