package dev.rocport.cuda;

/** NVSHMEM's names. */
final class ShmemNames {
  private ShmemNames() {}

  static boolean isOne(String name) {
    return name.startsWith("nvshmem");
  }

  /** True if one of the tokens is a function, type or namespace of NVSHMEM. */
  static boolean areIn(Tokens t, int from, int to) {
    for (int i = from; i < to; i++) {
      if (t.isIdentifier(i) && t.end(i) - t.start(i) > 6 && isOne(t.text(i))) {
        return true;
      }
    }
    return false;
  }

  /** True if a function whose definition begins at token {@code head} is a kernel. */
  static boolean isKernel(Tokens t, int head, Functions.Function k) {
    for (int i = head; i < k.name(); i++) {
      if (t.is(i, "__global__")) {
        return true;
      }
    }
    return false;
  }
}
