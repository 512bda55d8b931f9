package dev.rocport.singlesource;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPort;
import dev.rocport.lang.cuda.condition.GuardChoice;
import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Decides which lines of a file are gated, and around which conditionals CUDA macros are defined
 * instead.
 */
final class GatePlan {
  /** Two gates with no more lines than this between them become one. */
  private static final int GAP = 1;

  private final Lines lines;
  private final SourceFile file;
  private final Tokens t;
  private final Map<Integer, Gate> existing = new HashMap<>();
  private final Set<Chain> guarded = new HashSet<>();
  private final Map<Chain, GuardChoice> choices = new HashMap<>();
  private final Set<Chain> rewritten = new LinkedHashSet<>();
  private final List<Region> wanted = new ArrayList<>();
  private List<Region> regions = List.of();

  /** Lines of macro settings, by the line that they are before; several may meet there. */
  private final SortedMap<Integer, Setting> settings = new TreeMap<>();

  /** What is before a line: macros that end there, then macros that begin there. */
  record Setting(List<GuardChoice.Define> undef, List<GuardChoice.Define> define) {}

  /**
   * @param original the file with all its gates, at the same offsets as the one that was ported
   */
  GatePlan(SourceFile original, CudaPort port) {
    this.lines = new Lines(port.tokens());
    this.file = lines.file();
    this.t = port.tokens();
    for (Gate g : Gate.of(original)) {
      for (int line = g.open(); line <= g.close(); line++) {
        existing.put(line, g);
      }
    }
    Map<Integer, GuardChoice> byStart = new HashMap<>();
    port.guards().forEach(g -> byStart.put(g.start(), g));
    for (Chain chain : lines.regions().chains()) {
      GuardChoice choice = byStart.get(t.start(chain.from()));
      if (choice != null) {
        choices.put(chain, choice);
        Gate before = existing.get(lines.firstLine(chain) - 1);
        if (before != null && before.kind() == GateLine.GUARD) {
          guarded.add(chain);
        }
      }
    }
  }

  Lines lines() {
    return lines;
  }

  List<Region> regions() {
    return regions;
  }

  SortedMap<Integer, Setting> settings() {
    return settings;
  }

  /** True if the line belongs to a condition whose macros an earlier port has set. */
  boolean isGuarded(int line) {
    Chain chain = lines.conditional(line);
    return chain != null && guarded.contains(chain);
  }

  /** True if one of the gates laid out so far holds the edit. */
  boolean holds(Edit e) {
    int line = file.line(e.start());
    int lo = 0;
    int hi = regions.size() - 1;
    while (lo <= hi) {
      int mid = (lo + hi) >>> 1;
      if (regions.get(mid).to() < line) {
        lo = mid + 1;
      } else if (regions.get(mid).from() > line) {
        hi = mid - 1;
      } else {
        return true;
      }
    }
    return false;
  }

  /** True if an earlier port put the line behind a gate. */
  boolean isGated(int line) {
    return existing.containsKey(line);
  }

  /**
   * Lays out gates for edits; more may be added until {@link #finish}.
   *
   * @param needed whether an edit requires a gate
   */
  void plan(List<Edit> edits, Predicate<Edit> needed) {
    for (Edit e : edits) {
      int line = file.line(e.start());
      Chain chain = lines.conditional(line);
      if (isGuarded(line) || isGated(line) || !needed.test(e)) {
        continue;
      }
      if (chain != null && choices.containsKey(chain) && e.rule().startsWith("GUARD-")) {
        rewritten.add(chain);
      } else {
        add(e);
      }
    }
    for (Chain chain : rewritten) {
      if (!canBeSet(chain)) {
        wanted.add(lines.around(lines.firstLine(chain), lines.lastLine(chain)));
      }
    }
    merge();
  }

  /** Once all gates are known: sets macros around the conditionals that none of them holds. */
  void finish() {
    merge();
    for (Chain chain : rewritten) {
      Region whole = new Region(lines.firstLine(chain), lines.lastLine(chain));
      if (regions.stream().noneMatch(r -> r.holds(whole))) {
        set(chain);
      }
    }
  }

  /** Adds a gate for one more edit. */
  void add(Edit e) {
    int line = file.line(e.start());
    boolean between = isWholeLines(e);
    int last = between ? line - 1 : file.line(Math.max(e.start(), e.end() - 1));
    wanted.add(lines.around(line, last));
  }

  /** True if the edit puts whole lines before a line. */
  boolean isWholeLines(Edit e) {
    return e.start() == e.end()
        && e.start() == start(file.line(e.start()))
        && e.pieces().size() == 1
        && e.pieces().getFirst() instanceof Piece.Text(String text)
        && text.endsWith("\n");
  }

  /** Offset of a line's first byte, a byte order mark left out. */
  int start(int line) {
    return line == 1 ? Gate.start(file) : file.lineStart(line);
  }

  /**
   * Setting macros around the directives costs three lines a branch; a short conditional is told
   * twice instead, which reads better.
   */
  private boolean canBeSet(Chain chain) {
    int branches = chain.branches().size();
    if (lines.lastLine(chain) - lines.firstLine(chain) + 1 <= 3 * (branches + 1)
        || !Objects.requireNonNull(choices.get(chain)).exact()
        || chain.to() >= t.count()
        || endsWithoutNewline(lines.lastLine(chain))
        || !lines.isFree(lines.firstLine(chain))
        || !lines.isFree(lines.lastLine(chain) + 1)) {
      return false;
    }
    for (Branch b : chain.branches()) {
      if (!lines.isFree(lines.lastLine(b.directive()) + 1)) {
        return false;
      }
    }
    return true;
  }

  /** After such a line no other can be put that comes out again without a trace. */
  private boolean endsWithoutNewline(int line) {
    return line >= file.lines() && file.bytes()[file.length() - 1] != '\n';
  }

  private void set(Chain chain) {
    List<GuardChoice.Define> defines = Objects.requireNonNull(choices.get(chain)).defines();
    at(lines.firstLine(chain)).define().addAll(defines);
    for (Branch b : chain.branches()) {
      at(lines.lastLine(b.directive()) + 1).undef().addAll(defines);
    }
    at(lines.lastLine(chain) + 1).undef().addAll(defines);
  }

  private Setting at(int line) {
    return settings.computeIfAbsent(line, l -> new Setting(new ArrayList<>(), new ArrayList<>()));
  }

  /** Joins what touches or nearly touches. */
  private void merge() {
    List<Region> sorted = new ArrayList<>(wanted);
    sorted.sort(Comparator.comparingInt(Region::from).thenComparingInt(Region::to));
    List<Region> merged = new ArrayList<>();
    for (Region r : sorted) {
      Region last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && (r.from() <= last.to() + 1 || isBridged(last, r))) {
        merged.set(merged.size() - 1, new Region(last.from(), Math.max(last.to(), r.to())));
      } else {
        merged.add(r);
      }
    }
    regions = List.copyOf(merged);
  }

  private boolean isBridged(Region a, Region b) {
    if (a.isEmpty() || b.isEmpty() || b.from() - a.to() - 1 > GAP) {
      return false;
    }
    for (int line = a.to() + 1; line < b.from(); line++) {
      boolean blank = file.text(file.lineStart(line), file.lineEnd(line)).isBlank();
      if (blank || lines.conditional(line) != null || isGated(line)) {
        return false;
      }
    }
    return true;
  }
}
