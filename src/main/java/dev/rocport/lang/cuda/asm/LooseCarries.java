package dev.rocport.lang.cuda.asm;

import dev.rocport.lang.cuda.lex.Tokens;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Carries that go from one asm statement to another one that is not adjacent, in macros for single
 * steps of long arithmetic, say. A translation of the first statement alone would lose them.
 */
final class LooseCarries {
  static final String WHY =
      "it may hand its carry to a statement that is not adjacent, such as the next macro; rewrite"
          + " all of them together, with the carry as a variable";

  /** An instruction that reads a carry (group 1), sets one (group 2), or both. */
  private static final Pattern CARRY =
      Pattern.compile("\\b(?:(addc|subc|madc)|(?:add|sub|mad))\\b([\\w.]*\\.cc\\b)?");

  private LooseCarries() {}

  /** Whether the last carry of a statement is still set at its end. */
  static boolean leaves(AsmStatement asm) {
    boolean set = false;
    Matcher m = CARRY.matcher(asm.text());
    while (m.find()) {
      set = m.group(2) != null || (set && m.group(1) == null);
    }
    return set;
  }

  /** Whether a statement of the file reads a carry that neither it nor one before it sets. */
  static boolean in(Tokens t) {
    int last = -1;
    boolean before = false;
    for (int i = 0; i < t.count(); i++) {
      AsmStatement asm = t.isIdentifier(i) ? AsmStatement.at(t, i) : null;
      if (asm != null) {
        boolean adjacent = last >= 0 && asm.first() == last + 2 && t.is(last + 1, ';');
        if (reads(asm) && !(adjacent && before)) {
          return true;
        }
        before = leaves(asm);
        last = asm.last();
      }
    }
    return false;
  }

  /** Whether the first carry of a statement comes from outside. */
  private static boolean reads(AsmStatement asm) {
    Matcher m = CARRY.matcher(asm.text());
    while (m.find()) {
      if (m.group(1) != null) {
        return true;
      }
      if (m.group(2) != null) {
        return false;
      }
    }
    return false;
  }
}
