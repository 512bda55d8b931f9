package dev.rocport.lang.cuda.lex;

/** A bit set of hashes of names, which excludes most names that are not in the set. */
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
