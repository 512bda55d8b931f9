package dev.rocport.lang.cuda.shmem;

import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import dev.rocport.lang.cuda.symbols.Variables;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds writes of one block that must happen after the other blocks finish: they follow a grid
 * barrier, or the other blocks still read the data.
 */
final class LateWrites {
  private static final Set<String> GRIDS = Set.of("this_grid", "grid_group");

  private final Tokens t;
  private final List<Arguments.Span> statements;
  private final Set<String> pointers;

  /** Variables that hold the number of the block. */
  private final Set<String> blocks;

  private final BitSet late = new BitSet();
  private final int sync;

  LateWrites(Tokens t, Function k) {
    this.t = t;
    this.statements = Statements.between(t, k.body(), k.close());
    this.pointers = pointers(k);
    this.blocks = blockNumbers();
    this.sync = behindSync();
    for (int n = 0; n < statements.size() && sync < 0; n++) {
      if (isOfOneBlock(statements.get(n)) && isHazard(n)) {
        late.set(n);
      }
    }
  }

  /** The statements of the kernel's outermost scope. */
  List<Arguments.Span> statements() {
    return statements;
  }

  /** Parameters and variables of the kernel's outermost scope that point to global memory. */
  Set<String> pointers() {
    return pointers;
  }

  /** The statements that must run late. */
  BitSet late() {
    return late;
  }

  /** The position of the preceding grid barrier; -1 if there is none. */
  int sync() {
    return sync;
  }

  private Set<String> pointers(Function k) {
    Set<String> names = new HashSet<>();
    for (Arguments.Span p : Arguments.of(t, k.open())) {
      int name = p.last();
      while (name > p.first() && !t.isIdentifier(name)) {
        name--;
      }
      if (has(p, '*') || has(p, '[')) {
        names.add(t.text(name));
      }
    }
    for (Arguments.Span s : statements) {
      if (!t.is(s.first(), "__shared__") && !t.is(s.first() + 1, "__shared__")) {
        for (int i : Variables.declarators(t, s.first())) {
          Arguments.Span value = new Arguments.Span(i + 1, s.last());
          boolean pointer = t.is(i - 1, '*') || (t.is(s.first(), "auto") && !has(value, '['));
          if (pointer && Variables.named(t, value).stream().anyMatch(names::contains)) {
            names.add(t.text(i));
          }
        }
      }
    }
    return names;
  }

  private boolean has(Arguments.Span s, char c) {
    for (int i = s.first(); i <= s.last(); i++) {
      if (t.is(i, c)) {
        return true;
      }
    }
    return false;
  }

  private Set<String> blockNumbers() {
    Set<String> names = new HashSet<>();
    for (Arguments.Span s : statements) {
      for (int i : Variables.declarators(t, s.first())) {
        boolean x = t.is(i + 1, '=') && t.is(i + 2, "blockIdx") && t.is(i + 4, "x");
        if (x && (t.is(i + 5, ';') || t.is(i + 5, ','))) {
          names.add(t.text(i));
        }
      }
    }
    return names;
  }

  /** {@code if (blockIdx.x == 0 && ...)} without an else. */
  private boolean isOfOneBlock(Arguments.Span s) {
    int close = t.is(s.first(), "if") ? t.match(s.first() + 1) : -1;
    if (close < 0 || t.is(Statements.end(t, close + 1, s.last() + 1) + 1, "else")) {
      return false;
    }
    boolean found = false;
    for (int i = s.first() + 2; i < close; i++) {
      if (t.is(i, '|')) {
        return false;
      }
      int behind = t.is(i, "blockIdx") && t.is(i + 2, "x") ? i + 3 : i + 1;
      boolean block =
          (behind == i + 3 || (t.isIdentifier(i) && blocks.contains(t.text(i))))
              && !t.is(i - 1, '.');
      boolean outer = t.is(i - 1, '(') ? i - 1 == s.first() + 1 : t.is(i - 1, '&');
      boolean not = t.is(i - 1, '!') && (t.is(i - 2, '(') || t.is(i - 2, '&'));
      boolean zero =
          t.is(behind, '=') && t.is(behind + 1, '=') && t.is(behind + 2, "0") && ends(behind + 3);
      found |= block && ((outer && zero) || (not && ends(behind)));
    }
    return found;
  }

  private boolean ends(int i) {
    return t.is(i, ')') || t.is(i, '&');
  }

  /** Finds the work of one block at the end of the kernel, after a grid barrier. */
  private int behindSync() {
    int n = statements.size() - 1;
    while (n >= 0 && isOfOneBlock(statements.get(n))) {
      n--;
    }
    if (n < 0 || n == statements.size() - 1 || !isGridSync(n)) {
      return -1;
    }
    late.set(n + 1, statements.size());
    return n;
  }

  /** {@code cooperative_groups::this_grid().sync();}, or the same of a variable. */
  private boolean isGridSync(int n) {
    Arguments.Span s = statements.get(n);
    int sync = s.last() - 3;
    if (!t.is(s.last(), ';') || !t.is(sync, "sync") || !t.is(sync - 1, '.')) {
      return false;
    }
    if (t.is(sync - 2, ')')) {
      return t.is(sync - 4, "this_grid");
    }
    for (Arguments.Span d : statements.subList(0, n)) {
      boolean grid = Variables.named(t, d).stream().anyMatch(GRIDS::contains);
      if (grid && Variables.declared(t, d).contains(t.text(sync - 2))) {
        return true;
      }
    }
    return false;
  }

  /** The statement writes what other blocks read in other statements. */
  private boolean isHazard(int n) {
    Set<String> written = new HashSet<>(Variables.assigned(t, statements.get(n)));
    written.retainAll(pointers);
    for (int m = 0; m < statements.size(); m++) {
      Arguments.Span s = statements.get(m);
      if (m == n || isOfOneBlock(s)) {
        continue;
      }
      Set<String> declared = Variables.declared(t, s);
      boolean alias = declared.stream().anyMatch(pointers::contains) && !has(s, '[');
      Set<String> common = Variables.named(t, s);
      common.retainAll(written);
      if (!common.isEmpty() && !alias) {
        return true;
      }
    }
    return false;
  }
}
