package dev.rocport.singlesource;

import dev.rocport.core.edit.Remainder;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.condition.Condition;
import dev.rocport.lang.cuda.condition.Condition.Macro;
import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file without its gates: without branches that only AMD compiles, and without the directives of
 * conditionals that are then constant. Handles gates no matter who wrote them.
 */
final class PreprocessorView {
  private final byte[] bytes;
  private final SourceFile file;
  private final Tokens t;
  private final BitSet cut;
  private final Set<String> amdOnly;
  private int gates;

  private PreprocessorView(SourceFile file, Set<String> amdOnly) {
    this.bytes = file.bytes();
    this.file = file.withLineFeeds();
    this.amdOnly = amdOnly;
    this.t = Lexer.lex(this.file);
    this.cut = new BitSet(file.length());
  }

  /**
   * The remaining file.
   *
   * @param bytes the text without gates
   * @param gates number of conditionals that were resolved
   * @param cut removed offsets
   */
  record View(byte[] bytes, int gates, BitSet cut) {
    /** Returns the offset in the file of an offset in {@link #bytes}. */
    int offset(int at) {
      return new Remainder(bytes, cut).offset(at);
    }
  }

  static View of(SourceFile file) {
    return of(file, Set.of(Gates.MACRO));
  }

  /** Returns the view with macros that are defined only in AMD builds. */
  static View of(SourceFile file, Set<String> amdOnly) {
    PreprocessorView view = new PreprocessorView(file, amdOnly);
    for (Chain chain : Regions.of(view.t).chains()) {
      if (chain.to() < view.t.count()) {
        view.resolve(chain);
      }
    }
    for (Gate g : Gate.of(view.file)) {
      if (g.noNewline() && g.originalStart() < g.close()) {
        view.cut.set(view.file.lineEnd(g.close() - 1), view.file.lineStart(g.close()));
      }
    }
    return new View(new Remainder(view.bytes, view.cut).bytes(), view.gates, view.cut);
  }

  private void resolve(Chain chain) {
    DecidedBranches<Branch> decided =
        DecidedBranches.of(chain.branches(), (b, first) -> truth(b.directive(), first));
    if (decided.isUnchanged()) {
      return;
    }
    gates++;
    List<Branch> open = decided.open();
    for (Branch b : decided.dead()) {
      cut.set(lineStart(b.directive().start()), lineStart(t.start(b.to())));
    }
    if (open.isEmpty() || decided.bare()) {
      open.forEach(b -> cutLines(b.directive().start(), b.directive().end()));
      int end = t.start(chain.to());
      cutLines(end, t.directives().get(closing(end)).end());
    } else if (!open.getFirst().equals(chain.branches().getFirst())) {
      // The former #elif is now the first condition.
      int name = t.start(open.getFirst().directive().first() + 1);
      cut.set(name, name + 2);
    }
  }

  /**
   * Returns the index of the directive that starts at this offset; directives are in source order.
   */
  private int closing(int start) {
    int low = 0;
    int high = t.directives().size() - 1;
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (t.directives().get(mid).start() < start) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }

  /** Returns the value of a condition. An #else is decided only if no undecided one precedes it. */
  private @Nullable Boolean truth(Directive d, boolean first) {
    if (d.name().equals("else")) {
      return first ? Boolean.TRUE : null;
    }
    return Condition.evaluate(t, d, this::onNvidia);
  }

  private Macro onNvidia(String name) {
    return amdOnly.contains(name) ? new Macro.Undefined() : new Macro.Unknown();
  }

  private void cutLines(int from, int to) {
    int last = file.line(Math.max(from, to - 1));
    cut.set(lineStart(from), last < file.lines() ? file.lineStart(last + 1) : file.length());
  }

  private int lineStart(int offset) {
    int line = file.line(offset);
    return line == 1 ? Gate.start(file) : file.lineStart(line);
  }
}
