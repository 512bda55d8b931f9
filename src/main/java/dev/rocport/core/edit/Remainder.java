package dev.rocport.core.edit;

import java.io.ByteArrayOutputStream;
import java.util.BitSet;

/** The rest of a text after parts of it are removed. */
public final class Remainder {
  private final byte[] original;
  private final BitSet cut;

  /**
   * A text and its cuts.
   *
   * @param cut the offsets that go; not copied
   */
  public Remainder(byte[] original, BitSet cut) {
    this.original = original;
    this.cut = cut;
  }

  /** The bytes that stay; the original array where nothing is cut. */
  public byte[] bytes() {
    if (cut.isEmpty()) {
      return original;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(original.length);
    int at = cut.nextClearBit(0);
    while (at < original.length) {
      int end = cut.nextSetBit(at);
      end = end < 0 ? original.length : end;
      out.write(original, at, end - at);
      at = cut.nextClearBit(end);
    }
    return out.toByteArray();
  }

  /** Where in the original a place of {@link #bytes} is. */
  public int offset(int at) {
    int seen = 0;
    int i = cut.nextClearBit(0);
    while (seen < at) {
      int next = cut.nextSetBit(i);
      int run = next < 0 ? at - seen : Math.min(next - i, at - seen);
      seen += run;
      i += run;
      i = cut.nextClearBit(i);
    }
    return i;
  }
}
