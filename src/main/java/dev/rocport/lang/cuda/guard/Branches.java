package dev.rocport.lang.cuda.guard;

import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Recognizes branches that say that the hardware is not supported, in place of code for it. */
final class Branches {
  private static final Set<String> TRAPS =
      Set.of(
          "__trap", "abort", "__builtin_trap", "__builtin_unreachable", "static_assert", "throw");

  /** Macros and functions of projects, such as {@code NO_DEVICE_CODE}. */
  private static final Pattern REFUSAL =
      Pattern.compile(
          "(?i)\\w*(?:no_device_code|not_?implemented|not_?supported|unsupported|unreachable|"
              + "invalid_control_path)\\w*");

  /** What may come with a trap. */
  private static final Set<String> MESSAGES = Set.of("printf", "return", "std");

  /** A branch with more statements and directives than this does something. */
  private static final int MOST = 100;

  private final Tokens t;

  /** For each token, the first one from there that is in no directive; null until it is needed. */
  private int @Nullable [] code;

  Branches(Tokens t) {
    this.t = t;
  }

  /** True if each statement of the branch only reports an error, and one ends the program. */
  boolean refuses(Branch b) {
    boolean trap = false;
    int i = b.from();
    for (int n = 0; i < b.to(); n++) {
      if (n == MOST) {
        return false;
      }
      if (t.inDirective(i)) {
        Directive d = t.directives().get(t.directiveOf(i));
        trap |= d.name().equals("error");
        i = d.last();
        continue;
      }
      boolean traps = traps(i);
      if (!traps && !t.is(i, ';') && !(t.isIdentifier(i) && MESSAGES.contains(t.text(i)))) {
        return false;
      }
      trap |= traps;
      i = Statements.end(t, i, b.to()) + 1;
    }
    return trap;
  }

  private boolean traps(int i) {
    if (t.is(i, "assert") && t.is(i + 1, '(')) {
      return t.is(i + 2, "false") || t.is(i + 2, "0") || t.is(i + 2, '!');
    }
    if (!t.isIdentifier(i)) {
      return false;
    }
    String name = t.text(i);
    return TRAPS.contains(name) || REFUSAL.matcher(name).matches();
  }

  /** True if a kernel has no statement apart from those in the conditional. */
  boolean isWholeKernel(Chain chain) {
    int open = chain.from() - 1;
    int close = t.match(open);
    int end = chain.to() < t.count() ? t.directives().get(t.directiveOf(chain.to())).last() : -1;
    if (!t.is(open, '{') || close != end) {
      return false;
    }
    for (int i = Statements.definitionStart(t, open); i < open; i++) {
      if (t.is(i, "__global__")) {
        return true;
      }
    }
    return false;
  }

  /** True if braces around the conditional are those of a function or a statement. */
  boolean isInFunction(Chain chain) {
    int brace = Scopes.enclosing(t, chain.from());
    while (brace >= 0) {
      int k = brace - 1;
      while (t.is(k, "const") || t.is(k, "noexcept") || t.is(k, "override")) {
        k--;
      }
      if (t.is(k, ')')) {
        return true;
      }
      brace = Scopes.enclosing(t, brace);
    }
    return false;
  }

  /** True if there is code in the branch. */
  boolean hasCode(Branch b) {
    int[] next = code;
    if (next == null) {
      next = new int[t.count() + 1];
      next[t.count()] = t.count();
      for (int i = t.count() - 1; i >= 0; i--) {
        next[i] = t.inDirective(i) ? next[i + 1] : i;
      }
      code = next;
    }
    return next[b.from()] < b.to();
  }
}
