package dev.rocport.cuda;

import dev.rocport.report.Disposition;

/** Finds inline assembly. What stands in device code is PTX, which no AMD compiler takes. */
final class AsmPass {
  static final String RULE = "PTX-INLINE";

  private AsmPass() {}

  /** True if an asm statement begins at token {@code i}. */
  static boolean isAsm(Tokens t, int i) {
    if (!t.is(i, "asm") && !t.is(i, "__asm__") && !t.is(i, "__asm")) {
      return false;
    }
    int open = open(t, i);
    return t.is(open, '(') && t.kind(open + 1) == Tokens.STRING;
  }

  private static int open(Tokens t, int i) {
    int k = i + 1;
    while (t.is(k, "volatile") || t.is(k, "__volatile__") || t.is(k, "goto") || t.is(k, "inline")) {
      k++;
    }
    return k;
  }

  static void run(CudaFile f) {
    Tokens t = f.t;
    if (!f.isCudaSource() && !mentionsDevice(t)) {
      return;
    }
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || !isAsm(t, i)) {
        continue;
      }
      int open = open(t, i);
      int close = t.match(open);
      int last = close < 0 ? open + 1 : close;
      String text = t.text(open + 1);
      if (f.regions.isDead(i)) {
        continue;
      }
      f.changes.finding(
          RULE,
          Disposition.UNPORTED,
          t.start(i),
          t.end(last),
          "inline PTX: " + (text.length() > 100 ? text.substring(0, 100) + "..." : text));
    }
  }

  private static boolean mentionsDevice(Tokens t) {
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "__device__") || t.is(i, "__global__")) {
        return true;
      }
    }
    return false;
  }
}
