package dev.rocport.device.op.vector;

/** bfloat16: the upper half of a float. */
public final class BrainFloat {
  private BrainFloat() {}

  /** The bits of the bfloat16 nearest to a float with these bits, ties to even. */
  public static int of(int bits) {
    int rounded =
        Float.isNaN(Float.intBitsToFloat(bits))
            ? bits | 0x400000
            : bits + 0x7fff + (bits >>> 16 & 1);
    return rounded >>> 16;
  }

  /** The value of the low 16 bits. */
  public static float value(int bits) {
    return Float.intBitsToFloat(bits << 16);
  }
}
