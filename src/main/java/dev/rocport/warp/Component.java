package dev.rocport.warp;

import dev.rocport.warp.ir.Function;
import dev.rocport.warp.proof.Evidence;
import dev.rocport.warp.proof.Site;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Kernels that share one decision, with all functions that they call. */
final class Component {
  private static final Comparator<Site> PLACES =
      Comparator.comparing(Site::path)
          .thenComparingInt(s -> s.at().start())
          .thenComparingInt(s -> s.at().end());

  /** The order in which the components of a project follow each other. */
  static final Comparator<Component> ORDER =
      Comparator.comparing((Component c) -> c.members.getFirst().root(), Root.ORDER);

  private final List<Interpretation> members;

  /** By {@link Root#key}. */
  private final SortedMap<String, Function> functions = new TreeMap<>();

  private final SortedSet<Long> blocks = new TreeSet<>();

  /** The places that name the warp size, a later member's in the place of an earlier one's. */
  private final SortedMap<Site, Site> sites = new TreeMap<>(PLACES);

  /** Null if nothing has been decided since something that counts has changed. */
  private @Nullable Verdict verdict;

  /**
   * Puts interpretations together that share functions in which something names the warp size, each
   * with one of the others at least.
   *
   * @param members in order of their roots
   */
  Component(List<Interpretation> members) {
    this.members = members;
    for (Interpretation member : members) {
      functions.putAll(member.functions());
      blocks.addAll(member.blocks());
      member.evidence().sites().forEach(s -> sites.put(s, s));
    }
  }

  List<Interpretation> members() {
    return members;
  }

  /** The functions that ran, by {@link Root#key}. */
  SortedMap<String, Function> functions() {
    return functions;
  }

  /** The threads of a block, of all launches that are known. */
  SortedSet<Long> blocks() {
    return blocks;
  }

  /** What the members show, in their order. */
  List<Evidence> evidence() {
    return members.stream().map(Interpretation::evidence).toList();
  }

  /** What was decided; empty if it has to be decided, again or for the first time. */
  Optional<Verdict> verdict() {
    return Optional.ofNullable(verdict);
  }

  void decide(@Nullable Verdict decided) {
    verdict = decided;
  }

  /** The places that name the warp size, in order. */
  List<Site> sites() {
    return List.copyOf(sites.values());
  }

  /** The files with such places. */
  Set<String> files() {
    return sites.values().stream().map(Site::path).collect(Collectors.toSet());
  }

  /** It calls functions of a library that all lanes of a wave make together. */
  boolean isBound() {
    return sites.values().stream().anyMatch(s -> s.kind() == Site.Kind.COLLECTIVE);
  }
}
