package dev.rocport.lang.cuda.asm;

import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.regex.Pattern;

/**
 * Finds warp instructions in both branches of a condition. PTX synchronizes the lanes of one mask
 * across the branches; a wave executes one branch after the other, so its lanes never synchronize.
 */
final class AsmBranches {
  static final String WHY =
      "the other branch of an enclosing condition also contains a warp instruction: if the mask"
          + " names lanes of both branches, they synchronize in PTX, but not in a wave. Compute the"
          + " value of each lane in the branches, and exchange the values after the condition";

  private static final String INSTRUCTION =
      "\\b(?:(?:shfl|vote|match|redux)\\.[\\w.]*sync|elect\\.sync|bar\\.warp\\.sync)\\b";
  private static final Pattern MEETS = Pattern.compile(INSTRUCTION);

  /** A jump, or a predicate of a warp instruction: {@code @p shfl.sync.up.b32 ...}. */
  private static final Pattern BRANCH =
      Pattern.compile("\\bbra\\b|@\\s*!?\\s*%*\\w+\\s+" + INSTRUCTION);

  private static final Pattern FUNCTION =
      Pattern.compile(
          "__(?:shfl(?:_up|_down|_xor)?|any|all|ballot|uni|match_any|match_all"
              + "|reduce_(?:add|min|max|and|or|xor))_sync|__syncwarp");

  private AsmBranches() {}

  /** Whether a statement may have to meet with one of another branch. */
  static boolean mayMeet(Tokens t, AsmStatement asm) {
    if (!asm.text().contains("sync")) {
      return false;
    }
    long meetings = MEETS.matcher(asm.text()).results().count();
    if (meetings == 0) {
      return false;
    }
    if (meetings > 1 && BRANCH.matcher(asm.text()).find()) { // branches of its own
      return true;
    }
    int first = asm.first();
    int last = t.is(asm.last() + 1, ';') ? asm.last() + 1 : asm.last();
    while (true) { // from the statement to the conditions and blocks around it
      int condition = t.is(first - 1, ')') ? ifOf(t, t.match(first - 1)) : -1;
      if (condition >= 0) {
        if (t.is(last + 1, "else")) {
          int other = end(t, last + 2);
          if (meets(t, last + 2, other)) {
            return true;
          }
          last = other;
        }
        first = condition;
      } else if (t.is(first - 1, "else")) {
        int other = start(t, first - 2);
        if (meets(t, other, first - 2)) {
          return true;
        }
        int head = t.is(other - 1, ')') ? ifOf(t, t.match(other - 1)) : -1;
        first = head >= 0 ? head : other;
      } else {
        int open = Scopes.enclosing(t, first);
        if (open < 0 || t.match(open) < 0) {
          return false;
        }
        first = open;
        last = t.match(open);
      }
    }
  }

  /** The {@code if} whose condition opens at token {@code open}, or -1. */
  private static int ifOf(Tokens t, int open) {
    if (open < 1) {
      return -1;
    }
    int at = t.is(open - 1, "constexpr") ? open - 2 : open - 1;
    return t.is(at, "if") ? at : -1;
  }

  /** The last token of the statement that begins at token {@code i}. */
  private static int end(Tokens t, int i) {
    int k = i;
    while (k < t.count() && !t.is(k, ';')) {
      int partner = t.match(k);
      if (t.is(k, '{') && partner > k && !t.is(partner + 1, "else")) {
        return partner;
      }
      k = partner > k ? partner + 1 : k + 1;
    }
    return k;
  }

  /**
   * The first token of the branch that ends at token {@code i}; of one without braces, its if's.
   */
  private static int start(Tokens t, int i) {
    if (t.is(i, '}') && t.match(i) >= 0) {
      return t.match(i);
    }
    int k = i - 1;
    while (k >= 0 && !t.is(k, ';') && !t.is(k, '{') && !t.is(k, '}')) {
      k = t.before(k);
    }
    return k + 1;
  }

  private static boolean meets(Tokens t, int from, int to) {
    for (int k = from; k <= to && k < t.count(); k++) {
      AsmStatement asm = t.isIdentifier(k) ? AsmStatement.at(t, k) : null;
      boolean function = asm == null && t.isIdentifier(k) && FUNCTION.matcher(t.text(k)).matches();
      if (function || (asm != null && MEETS.matcher(asm.text()).find())) {
        return true;
      }
    }
    return false;
  }
}
