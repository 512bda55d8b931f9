package dev.rocport.lang.cuda.pass;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.regex.Pattern;

/**
 * Leaves out specializations of templates for vectors with an alignment of 16 bytes, such as {@code
 * double4_16a}, where the file has those for 32 bytes: both types are one in HIP.
 */
final class AlignedVectors {
  static final String RULE = "VEC-ALIGNED-SPECIALIZATION";

  private static final Pattern SMALL = Pattern.compile("(double|u?long|u?longlong)4_16a");

  private AlignedVectors() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    if (f.isC() || !f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i < t.count(); i++) {
      boolean special = t.is(i, "template") && t.is(i + 1, '<') && t.is(i + 2, '>');
      if (!special || t.inDirective(i) || f.regions.isDead(i)) {
        continue;
      }
      boolean small = false;
      int k = i + 3;
      while (k < t.count() && !t.is(k, '{') && !t.is(k, ';') && !t.is(k, '(')) {
        boolean one = t.is(k, '<') && Angles.closeOfTemplate(t, k) == k + 2;
        String type = one ? t.text(k + 1) : "";
        small |= SMALL.matcher(type).matches() && t.mentions(type.replace("16a", "32a"));
        k++;
      }
      int close = t.is(k, '{') ? t.match(k) : -1;
      if (small && close > k && t.is(close + 1, ';')) {
        HipGate.around(f, i, close + 1, RULE);
      }
    }
  }
}
