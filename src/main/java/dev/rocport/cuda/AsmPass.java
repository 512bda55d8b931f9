package dev.rocport.cuda;

import dev.rocport.report.Disposition;

/** Finds inline assembly. What stands in device code is PTX, which no AMD compiler takes. */
final class AsmPass {
  static final String RULE = "PTX-INLINE";
  private static final int LONGEST = 400;

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
      if (f.regions.isDead(i)) {
        continue;
      }
      f.changes.finding(
          RULE,
          Disposition.UNPORTED,
          t.start(i),
          t.end(last),
          "inline PTX: " + template(t, open + 1, last));
    }
  }

  /** The assembly text: literals joined as the compiler joins them, escapes as written. */
  private static String template(Tokens t, int from, int close) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < close && !t.is(i, ':') && !t.isPair(i, ':'); i++) {
      String part = t.text(i);
      int quote = part.indexOf('"');
      boolean plain = t.kind(i) == Tokens.STRING && !t.isRawString(i) && part.length() > quote + 1;
      text.append(plain ? part.substring(quote + 1, part.length() - 1) : " " + part + " ");
    }
    String all = text.toString().strip();
    return all.length() > LONGEST ? all.substring(0, LONGEST) + "..." : all;
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
