package dev.rocport.singlesource;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds lines between which a directive can be inserted: not inside a literal, a comment, a spliced
 * line or another directive, and not between round brackets, since directives among the arguments
 * of a macro have no defined meaning and a call may be one.
 */
final class Lines {
  private final SourceFile file;
  private final Tokens t;
  private final Regions regions;

  /** Lines before which no directive can be inserted. */
  private final BitSet glued = new BitSet();

  /** The conditional that has a directive in a line, by line; null for most. */
  private final @Nullable Chain[] chains;

  private final int[] directives;

  Lines(Tokens t) {
    this.file = t.file();
    this.t = t;
    this.regions = Regions.of(t);
    this.chains = new Chain[file.lines() + 2];
    this.directives = t.directives().stream().mapToInt(Directive::start).toArray();
    for (int i = 0; i < t.count(); i++) {
      if (t.kind(i) == Tokens.STRING || t.isSpliced(i)) {
        glue(t.start(i), t.end(i));
      }
    }
    for (int i = 0; i < t.commentCount(); i++) {
      glue(t.commentStart(i), t.commentEnd(i));
    }
    t.directives().forEach(d -> glue(d.start(), d.end()));
    splices();
    brackets();
    conditionals();
  }

  SourceFile file() {
    return file;
  }

  Tokens tokens() {
    return t;
  }

  Regions regions() {
    return regions;
  }

  /** Returns true if a directive can be inserted before this line. */
  boolean isFree(int line) {
    return !glued.get(line);
  }

  /** Returns the innermost conditional that has a directive in this line; null for most lines. */
  @Nullable Chain conditional(int line) {
    return chains[line];
  }

  /**
   * Returns the lines around {@code from} to {@code to} that can be gated: with directives possible
   * at both ends, and without splitting a conditional. With {@code to = from - 1}, an empty range
   * where a gate can be inserted.
   */
  Region around(int from, int to) {
    int a = from;
    int b = to;
    while (true) {
      while (a > 1 && !isFree(a)) {
        a--;
      }
      while (b < file.lines() && b >= a - 1 && !isFree(b + 1)) {
        b++;
      }
      int lo = a;
      int hi = b;
      for (int line = a; line <= b; line++) {
        Chain chain = chains[line];
        if (chain != null) {
          lo = Math.min(lo, firstLine(chain));
          hi = Math.max(hi, lastLine(chain));
        }
      }
      if (lo == a && hi == b) {
        return new Region(a, b);
      }
      a = lo;
      b = hi;
    }
  }

  int firstLine(Chain chain) {
    return file.line(t.start(chain.from()));
  }

  /** Returns the last line of the closing directive; the last line of the file if there is none. */
  int lastLine(Chain chain) {
    if (chain.to() >= t.count()) {
      return file.lines();
    }
    return lastLine(closing(chain));
  }

  int lastLine(Directive d) {
    return file.line(Math.max(d.start(), d.end() - 1));
  }

  private Directive closing(Chain chain) {
    return t.directives().get(Arrays.binarySearch(directives, t.start(chain.to())));
  }

  private void glue(int from, int to) {
    int first = file.line(from);
    int last = file.line(Math.max(from, to - 1));
    if (last > first) {
      glued.set(first + 1, last + 1);
    }
  }

  private void splices() {
    byte[] b = file.bytes();
    for (int line = 1; line < file.lines(); line++) {
      int end = file.lineEnd(line);
      while (end > 0 && (b[end - 1] == ' ' || b[end - 1] == '\t')) {
        end--; // compilers also splice such lines, with a warning
      }
      if (end > 0 && b[end - 1] == '\\') {
        glued.set(line + 1);
      }
    }
  }

  private void brackets() {
    int[] change = new int[file.lines() + 3];
    for (int i = 0; i < t.count(); i++) {
      if (!t.is(i, '(') || t.inDirective(i)) {
        continue;
      }
      int line = file.line(t.start(i));
      int close = t.match(i);
      if (close > i) {
        change[line + 1]++;
        change[file.line(t.start(close)) + 1]--;
      }
      if (t.isIdentifier(i - 1) && file.line(t.start(i - 1)) < line) {
        glued.set(file.line(t.start(i - 1)) + 1, line + 1); // a macro's name and its arguments
      }
    }
    int depth = 0;
    for (int line = 1; line < change.length; line++) {
      depth += change[line];
      if (depth > 0) {
        glued.set(line);
      }
    }
  }

  private void conditionals() {
    for (Chain chain : regions.chains()) {
      chain.branches().forEach(b -> mark(b.directive(), chain));
      if (chain.to() < t.count()) {
        mark(closing(chain), chain);
      }
    }
  }

  private void mark(Directive d, Chain chain) {
    Arrays.fill(chains, file.line(d.start()), lastLine(d) + 1, chain);
  }
}
