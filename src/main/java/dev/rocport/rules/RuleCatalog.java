package dev.rocport.rules;

import dev.rocport.core.result.Topic;
import dev.rocport.io.InvalidFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All rules and API names in force. Immutable. */
public final class RuleCatalog {
  private static @Nullable RuleCatalog own;

  private final Map<String, Rule> rules;
  private final List<ApiName> names;
  private final List<PtxRow> ptx;
  private final ShmemTable shmem;
  private final EffortTable effort;
  private final GuardTable guards;
  private final RocmChanges rocm;
  private final PhaseTable phases;
  private final boolean builtIn;

  private RuleCatalog(
      boolean builtIn,
      Map<String, Rule> rules,
      List<ApiName> names,
      List<PtxRow> ptx,
      ShmemTable shmem,
      EffortTable effort,
      GuardTable guards,
      RocmChanges rocm,
      PhaseTable phases) {
    this.rules = rules;
    this.names = names;
    this.ptx = ptx;
    this.shmem = shmem;
    this.effort = effort;
    this.guards = guards;
    this.rocm = rocm;
    this.phases = phases;
    this.builtIn = builtIn;
  }

  /** The rules that rocport comes with; read once in a process. */
  public static synchronized RuleCatalog builtIn() {
    RuleCatalog known = own;
    if (known == null) {
      known = readBuiltIn();
      own = known;
    }
    return known;
  }

  private static RuleCatalog readBuiltIn() {
    try (InputStream in = RuleCatalog.class.getResourceAsStream("rules.index")) {
      if (in == null) {
        throw new InvalidFileException("the compiled rules are missing: rebuild rocport");
      }
      return of(RuleIndex.read(in.readAllBytes()), true);
    } catch (IOException e) {
      throw new InvalidFileException("the compiled rules cannot be read: " + e, e);
    }
  }

  /** These rules with a user's folder laid over them: same id or same name, and the user's wins. */
  public RuleCatalog with(Path folder) {
    RuleLoader.Loaded over = RuleLoader.load(folder);
    Map<String, Rule> merged = new LinkedHashMap<>(rules);
    over.rules().forEach(r -> merged.merge(r.id(), r, (old, own) -> own.orTopic(old.topic())));
    Map<String, ApiName> byName = new LinkedHashMap<>();
    names.forEach(n -> byName.put(n.kind() + " " + n.cuda(), n));
    over.names().forEach(n -> byName.put(n.kind() + " " + n.cuda(), n));
    List<PtxRow> forms = new ArrayList<>(over.ptx()); // the first that fits wins
    forms.addAll(ptx);
    return new RuleCatalog(
        false,
        merged,
        new ArrayList<>(byName.values()),
        List.copyOf(forms),
        shmem.under(over.shmem()),
        effort.under(over.effort()),
        guards.under(over.guards()),
        rocm.under(over.rocm()),
        phases.under(over.phases()));
  }

  static RuleCatalog of(RuleLoader.Loaded loaded) {
    return of(loaded, false);
  }

  private static RuleCatalog of(RuleLoader.Loaded loaded, boolean builtIn) {
    Map<String, Rule> map = new LinkedHashMap<>();
    loaded.rules().forEach(r -> map.put(r.id(), r));
    return new RuleCatalog(
        builtIn,
        map,
        loaded.names(),
        loaded.ptx(),
        loaded.shmem(),
        loaded.effort(),
        loaded.guards(),
        loaded.rocm(),
        loaded.phases());
  }

  /** True if these are the rules that this program comes with, and no others. */
  public boolean isBuiltIn() {
    return builtIn;
  }

  /** All rules, in the order of their files. */
  public Collection<Rule> rules() {
    return rules.values();
  }

  /** True if no rule is in force but those about a topic. */
  public boolean areOnly(RuleFilter filter, Topic topic) {
    return rules.values().stream().allMatch(r -> r.topic() == topic || !filter.allows(r.id()));
  }

  /** The rules about a topic, and no others. */
  public RuleFilter only(Topic topic) {
    List<String> ids =
        rules.values().stream().filter(r -> r.topic() == topic).map(Rule::id).toList();
    // An empty list would stand for all rules.
    return new RuleFilter(ids, ids.isEmpty() ? List.of("*") : List.of());
  }

  /** What a rule is about; nothing in particular for one that is not known. */
  public Topic topic(String id) {
    Rule rule = rules.get(id);
    return rule == null ? Topic.NONE : rule.topic();
  }

  public @Nullable Rule find(String id) {
    return rules.get(id);
  }

  /**
   * The rule with this id.
   *
   * @throws IllegalArgumentException if there is no such rule: a bug, since ids are fixed
   */
  public Rule require(String id) {
    Rule rule = rules.get(id);
    if (rule == null) {
      throw new IllegalArgumentException("no rule " + id);
    }
    return rule;
  }

  /** All API names, in the order of their tables. */
  public List<ApiName> names() {
    return names;
  }

  /** The forms of PTX instructions and its special registers; the first that fits holds. */
  public List<PtxRow> ptx() {
    return ptx;
  }

  /** The counterparts of NVSHMEM names. */
  public ShmemTable shmem() {
    return shmem;
  }

  /** The macros that CUDA conditions test. */
  public GuardTable guards() {
    return guards;
  }

  /** What differs between HIP versions. */
  public RocmChanges rocm() {
    return rocm;
  }

  /** The phases of a port, and the signs that one is needed. */
  public PhaseTable phases() {
    return phases;
  }

  /** The remaining work for each kind of finding. */
  public EffortTable effort() {
    return effort;
  }
}
