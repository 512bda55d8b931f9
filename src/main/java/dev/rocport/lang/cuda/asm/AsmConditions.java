package dev.rocport.lang.cuda.asm;

import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Reads asm statements of which conditions of the preprocessor select parts. */
final class AsmConditions {
  /** More combinations of branches are not examined. */
  private static final int MOST = 16;

  private AsmConditions() {}

  /**
   * The statement for each combination of the branches in it that HIP can compile; empty if
   * conditions are nested or if there are too many combinations.
   */
  static List<AsmStatement> selections(Tokens t, Regions regions, AsmStatement asm) {
    List<BitSet> skipped = List.of(new BitSet());
    for (Regions.Chain chain : regions.chains()) {
      if (chain.from() < asm.first() || chain.to() > asm.last()) {
        continue;
      }
      List<BitSet> more = new ArrayList<>();
      for (BitSet before : skipped) {
        if (before.get(chain.from())) { // nested in another
          return List.of();
        }
        branches(t, regions, chain).forEach(b -> more.add(joined(before, b)));
      }
      if (more.size() > MOST) {
        return List.of();
      }
      skipped = more;
    }
    List<AsmStatement> read = new ArrayList<>();
    for (BitSet s : skipped) {
      AsmStatement selected = AsmStatement.at(t, asm.first(), Map.of(), s);
      if (selected == null) {
        return List.of();
      }
      read.add(selected);
    }
    return read;
  }

  /** For each branch of a chain, the tokens of the chain that are not in it. */
  private static List<BitSet> branches(Tokens t, Regions regions, Regions.Chain chain) {
    BitSet all = new BitSet();
    all.set(chain.from(), t.directives().get(t.directiveOf(chain.to())).last());
    List<BitSet> list = new ArrayList<>();
    for (Regions.Branch b : chain.branches()) {
      if (b.from() == b.to() || !regions.isDead(b.from())) {
        BitSet others = joined(all, new BitSet());
        others.clear(b.from(), b.to());
        list.add(others);
      }
    }
    if (!chain.hasElse()) {
      list.add(all);
    }
    return list;
  }

  private static BitSet joined(BitSet a, BitSet b) {
    BitSet both = new BitSet();
    both.or(a);
    both.or(b);
    return both;
  }
}
