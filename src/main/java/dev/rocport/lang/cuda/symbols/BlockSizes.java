package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;

/** Finds the names in a function on which the block sizes of its launches depend. */
final class BlockSizes {
  private final Tokens t;

  BlockSizes(Tokens t) {
    this.t = t;
  }

  /** Returns whether the three angle brackets before the configuration of a launch are here. */
  boolean isLaunch(int i) {
    return t.is(i, '<') && t.is(i + 1, '<') && t.is(i + 2, '<');
  }

  /** The names that launches' blocks depend on, and macros that speak of them. */
  Words of(int first, int last) {
    Words names = new Words();
    for (int i = first; i < last; i++) {
      if (isLaunch(i)) {
        addBlock(i + 3, last, names);
      }
    }
    int known = -1;
    while (names.size() > known && names.size() > 0) {
      known = names.size();
      for (int i = first; i < last; i++) {
        if (names.hold(t, i)) {
          addValue(i + 1, last, names);
        }
      }
      for (Directive d : t.directives()) {
        if (d.name().equals("define") && d.last() > d.body() && mentions(d, names)) {
          names.add(t.text(d.body()));
        }
      }
    }
    return names;
  }

  private boolean mentions(Directive d, Words names) {
    for (int i = d.body() + 1; i < d.last(); i++) {
      if (names.hold(t, i)) {
        return true;
      }
    }
    return false;
  }

  /** The names in the second argument of a launch; in all of them where it is not clear. */
  private void addBlock(int first, int last, Words names) {
    int comma = -1;
    int next = -1;
    boolean clear = false;
    int i = first;
    while (i < last && !t.is(i, ';') && !t.is(i, '<')) {
      if (t.is(i, '>') && t.is(i + 1, '>') && t.is(i + 2, '>')) {
        clear = true;
        break;
      }
      if (t.is(i, ',')) {
        next = comma >= 0 && next < 0 ? i : next;
        comma = comma < 0 ? i : comma;
      }
      i = t.after(i);
    }
    if (clear && comma >= 0) {
      addNames(comma, next < 0 ? i : next, names);
    } else {
      while (i < last && !t.is(i, ';')) {
        i++;
      }
      addNames(first, i, names);
    }
  }

  private void addNames(int first, int end, Words names) {
    for (int i = first; i < end; i++) {
      if (t.isIdentifier(i)) {
        names.add(t.text(i));
      }
    }
  }

  /** The names in what a variable is given: {@code v = x}, {@code v(x)}, <code>v{x}</code>. */
  private void addValue(int behind, int last, Words names) {
    if (t.is(behind, '(') || t.is(behind, '{')) {
      addNames(behind, Math.max(behind, t.match(behind)), names);
    } else if (t.is(behind, '=') && !t.is(behind + 1, '=')) {
      int end = behind + 1;
      while (end < last && !t.is(end, ',') && !t.is(end, ';') && !t.is(end, ')')) {
        end = t.after(end);
      }
      addNames(behind, end, names);
    }
  }
}
