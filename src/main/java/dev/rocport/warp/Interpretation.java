package dev.rocport.warp;

import dev.rocport.warp.ir.Function;
import dev.rocport.warp.proof.Evidence;
import dev.rocport.warp.proof.FunctionTable;
import dev.rocport.warp.proof.Proof;
import dev.rocport.warp.proof.Site;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A root that was interpreted with known block sizes. */
final class Interpretation {
  private final Root root;
  private final SortedSet<Long> blocks;
  private Evidence evidence;
  private final Set<String> warps;

  /**
   * Interprets a root.
   *
   * @param blocks the threads of a block, of all launches that are known
   */
  Interpretation(Root root, FunctionTable table, SortedSet<Long> blocks) {
    this.root = root;
    this.blocks = blocks;
    this.evidence = Proof.of(root.function(), table, blocks);
    this.warps = holders(evidence.functions(), evidence.sites());
  }

  Root root() {
    return root;
  }

  SortedSet<Long> blocks() {
    return blocks;
  }

  Evidence evidence() {
    return evidence;
  }

  /**
   * Interprets again if a function that ran was moved in its file, which changes places in the
   * evidence and nothing else.
   */
  void locate(FunctionTable table) {
    if (!evidence.functions().values().stream().allMatch(table::holds)) {
      evidence = Proof.of(root.function(), table, blocks);
    }
  }

  /** The functions that ran, by {@link Root#key}. */
  Map<String, Function> functions() {
    return evidence.functions();
  }

  /** Keys of functions in which something names the warp size. */
  Set<String> warps() {
    return warps;
  }

  /** The files in which something names the warp size. */
  Set<String> files() {
    return evidence.sites().stream().map(Site::path).collect(Collectors.toSet());
  }

  /** Whether something names the warp size. */
  boolean isAboutWarps() {
    return !evidence.sites().isEmpty();
  }

  /**
   * Returns the keys of the functions that hold one of these places: those whose name is the last
   * one before it.
   */
  static Set<String> holders(Map<String, Function> functions, Collection<Site> sites) {
    if (sites.isEmpty()) {
      return Set.of();
    }
    Map<String, NavigableMap<Integer, String>> names = new HashMap<>();
    functions.forEach(
        (key, f) ->
            names.computeIfAbsent(f.path(), k -> new TreeMap<>()).put(f.nameAt().start(), key));
    Set<String> holders = new HashSet<>();
    for (Site s : sites) {
      NavigableMap<Integer, String> here = names.get(s.path());
      Map.Entry<Integer, String> last = here == null ? null : here.floorEntry(s.at().end());
      if (last != null) {
        holders.add(last.getValue());
      }
    }
    return Set.copyOf(holders);
  }
}
