package dev.rocport.lang.cuda.shmem;

import dev.rocport.lang.cuda.lex.Tokens;

/** Recognizes NVSHMEM names. */
public final class ShmemNames {
  private ShmemNames() {}

  /** True if token {@code i} is a function, type or namespace of NVSHMEM. */
  static boolean isOne(Tokens t, int i) {
    return t.isIdentifier(i) && t.begins(i, "nvshmem");
  }

  /** True if one of the tokens is one. */
  public static boolean areIn(Tokens t, int from, int to) {
    for (int i = from; i < to; i++) {
      if (isOne(t, i)) {
        return true;
      }
    }
    return false;
  }
}
