package dev.rocport.lang.cuda.lex;

/** Hashes of names, a bit for a part of each: most names that are not among them stop here. */
public final class HashSieve {
  private final long[] bits;

  /**
   * @param words 64-bit words, a power of two
   */
  public HashSieve(int words) {
    this.bits = new long[words];
  }

  public void add(int hash) {
    bits[hash >>> 6 & bits.length - 1] |= 1L << hash;
  }

  /** False if no such hash was added; true for a few others, too. */
  public boolean mayHold(int hash) {
    return (bits[hash >>> 6 & bits.length - 1] >>> hash & 1) != 0;
  }
}
