package dev.rocport.device.isa;

/**
 * The words at the place to decode.
 *
 * @param peek the word after the first; 0 where the code ends
 * @param third the word after that, likewise
 * @param fourth the word after that, likewise
 * @param available how many of them there are
 */
record Words(int first, int peek, int third, int fourth, int available) {

  /** Bits {@code low} and up of the first word. */
  int low(int low, int width) {
    return (first >>> low) & ((1 << width) - 1);
  }

  /** Bits {@code low} and up of the second word. */
  int high(int low, int width) {
    return (peek >>> low) & ((1 << width) - 1);
  }

  /** Bits {@code low} and up of the third word. */
  int last(int low, int width) {
    return (third >>> low) & ((1 << width) - 1);
  }

  boolean lowBit(int bit) {
    return low(bit, 1) != 0;
  }

  boolean highBit(int bit) {
    return high(bit, 1) != 0;
  }
}
