package dev.rocport.device.isa;

/** The offset of ds_swizzle_b32: how lanes swap data within groups of 32 or 4. */
final class SwizzleText {
  private SwizzleText() {}

  static String of(int offset) {
    if ((offset & 0xff00) == 0x8000) {
      return String.format(
          "swizzle(QUAD_PERM,%d,%d,%d,%d)",
          offset & 3, (offset >> 2) & 3, (offset >> 4) & 3, (offset >> 6) & 3);
    }
    if ((offset & 0x8000) != 0) {
      return Integer.toString(offset);
    }
    int and = offset & 31;
    int or = (offset >> 5) & 31;
    int xor = (offset >> 10) & 31;
    if (and == 31 && or == 0 && Integer.bitCount(xor) == 1) {
      return "swizzle(SWAP," + xor + ")";
    }
    if (and == 31 && or == 0 && xor > 0 && Integer.bitCount(xor + 1) == 1) {
      return "swizzle(REVERSE," + (xor + 1) + ")";
    }
    int group = 32 - and;
    if (group > 1 && Integer.bitCount(group) == 1 && or < group && xor == 0) {
      return "swizzle(BROADCAST," + group + "," + or + ")";
    }
    return "swizzle(BITMASK_PERM,\"" + lane(and, or, xor) + "\")";
  }

  /** Each bit of the source lane: 0, 1, p for the same as of the own lane, i for its inverse. */
  private static String lane(int and, int or, int xor) {
    int ofZeros = or ^ xor;
    int ofOnes = (and | or) ^ xor;
    StringBuilder text = new StringBuilder();
    for (int mask = 16; mask > 0; mask >>= 1) {
      boolean zero = (ofZeros & mask) != 0;
      boolean one = (ofOnes & mask) != 0;
      text.append(zero == one ? (zero ? '1' : '0') : zero ? 'i' : 'p');
    }
    return text.toString();
  }
}
