package dev.rocport.warp;

import dev.rocport.rules.PortOptions;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Launch;
import dev.rocport.warp.ir.NameSet;
import dev.rocport.warp.ir.Visitor;
import dev.rocport.warp.proof.Evidence;
import dev.rocport.warp.proof.Obstacle;
import dev.rocport.warp.proof.Site;
import dev.rocport.warp.proof.Trace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Decides about one component: collects what speaks against wider warps, and weighs it. */
final class ComponentJudge {
  private static final String BOUND =
      "Check tables, rows and limits that are sized for 32 lanes per call: they now apply to all"
          + " lanes of a wave.";

  private final Facts facts;
  private final PortOptions.Warp mode;
  private final Component component;
  private final List<Obstacle> obstacles = new ArrayList<>();

  /** Numbers that may speak of a warp: wider warps would leave them as they are. */
  private final List<Obstacle> loose = new ArrayList<>();

  private final Set<String> holders;
  private final Set<String> files = new HashSet<>();
  private final Set<String> names = new HashSet<>();
  private final Map<String, Optional<String>> includers = new TreeMap<>();

  private ComponentJudge(Facts facts, PortOptions.Warp mode, Component component) {
    this.facts = facts;
    this.mode = mode;
    this.component = component;
    this.holders = Interpretation.holders(component.functions(), component.sites());
  }

  /**
   * Decides.
   *
   * @param mode the mode that the user selected
   */
  static Verdict judge(Facts facts, PortOptions.Warp mode, Component c) {
    boolean counts =
        c.isBound() || c.sites().stream().anyMatch(s -> s.kind() == Site.Kind.FUNCTION);
    return counts ? new ComponentJudge(facts, mode, c).verdict() : Verdict.NONE;
  }

  private Verdict verdict() {
    oppose();
    Judge judge = judge();
    Decision decision = judge.decision();
    SortedMap<String, List<WarpPlan.Placed>> sites = new TreeMap<>();
    for (Site s : component.sites()) {
      sites.computeIfAbsent(s.path(), k -> new ArrayList<>()).add(new WarpPlan.Placed(s, decision));
    }
    Map<String, List<WarpPlan.Note>> notes = notes(judge);
    SortedMap<String, WarpPlan> plans = new TreeMap<>();
    sites.forEach(
        (path, list) -> plans.put(path, new WarpPlan(list, notes.getOrDefault(path, List.of()))));
    files.addAll(plans.keySet());
    component.functions().values().forEach(f -> files.add(f.path()));
    obstacles.forEach(o -> files.add(o.path()));
    return new Verdict(plans, Set.copyOf(files), NameSet.of(names), includers);
  }

  /** Weighs what speaks against wider warps, if there is a choice. */
  private Judge judge() {
    PortOptions.Warp asked =
        component.isBound() && mode == PortOptions.Warp.AUTO ? PortOptions.Warp.WIDE : mode;
    List<Obstacle> all = new ArrayList<>(obstacles);
    if (asked == PortOptions.Warp.WIDE) {
      all.addAll(loose); // a proof needs no loose numbers; here there is none
    }
    return new Judge(asked, all, component.blocks());
  }

  private Map<String, List<WarpPlan.Note>> notes(Judge judge) {
    Map<String, List<WarpPlan.Note>> notes = new TreeMap<>();
    int ladders = component.evidence().stream().mapToInt(Evidence::ladders).max().orElse(0);
    boolean isBound = component.isBound();
    for (Map.Entry<String, Function> e : component.functions().entrySet()) {
      Function f = e.getValue();
      if (holders.contains(e.getKey())) {
        notes
            .computeIfAbsent(f.path(), k -> new ArrayList<>())
            .add(
                new WarpPlan.Note(
                    judge.decision(),
                    f.nameAt(),
                    isBound ? boundMessage(f, judge) : judge.message(f.name(), this::place),
                    isBound ? BOUND : judge.advice(ladders),
                    isBound,
                    obstacles.isEmpty()));
      }
    }
    return notes;
  }

  private String boundMessage(Function f, Judge judge) {
    if (judge.decision() != Decision.WIDE) {
      String why =
          mode == PortOptions.Warp.GROUPS32 ? "that was requested" : judge.why(this::place);
      return f.name()
          + ": groups of 32 lanes are kept, since "
          + why
          + ", but the code calls functions that all lanes of a wave must call together";
    }
    String more = new Judge(PortOptions.Warp.AUTO, obstacles, component.blocks()).why(this::place);
    return f.name()
        + ": warps become waves of the target, since the code calls functions that all lanes of a"
        + " wave call together"
        + (more.isEmpty() ? "" : "; check the result, since " + more);
  }

  /** The location of an obstacle, for messages. */
  private String place(Obstacle o) {
    return facts
        .unit(o.path())
        .map(u -> " (" + o.path() + ":" + u.line(o.at().start()) + ")")
        .orElse(" (" + o.path() + ")");
  }

  /** Collects the obstacles to wider warps. */
  private void oppose() {
    List<Evidence> all = component.evidence();
    all.forEach(e -> obstacles.addAll(e.obstacles()));
    Set<Trace.Place> plain = new HashSet<>();
    all.forEach(e -> plain.addAll(e.plain()));
    for (Site s : component.sites()) {
      if (plain.contains(Trace.Place.of(s.path(), s.at()))) {
        obstacles.add(
            new Obstacle(
                Obstacle.Kind.MEANT,
                s.path(),
                s.at(),
                "this number is the warp size for one kernel and a plain number for another"));
      }
    }
    for (Evidence e : all) {
      for (Site n : e.loose()) {
        loose.add(
            new Obstacle(
                Obstacle.Kind.UNWRITABLE,
                n.path(),
                n.at(),
                "it is unclear what " + n.text() + " means"));
      }
    }
    component.members().forEach(m -> launched(m.root().function()));
    hidden();
    for (Function f : component.functions().values()) {
      if (!f.path().endsWith(".cu")) {
        includers
            .computeIfAbsent(f.path(), facts.includers()::unread)
            .ifPresent(who -> unclear(f, who + " includes this header and may call " + f.name()));
      }
    }
  }

  private void unclear(Function f, String why) {
    obstacles.add(new Obstacle(Obstacle.Kind.UNCLEAR, f.path(), f.nameAt(), why));
  }

  /** Functions that may be called from where no tree shows it: what depends on warps counts. */
  private void hidden() {
    Set<String> warps = new TreeSet<>();
    component
        .functions()
        .forEach(
            (key, f) -> {
              if (f.kernel() || holders.contains(key)) {
                warps.add(f.name());
              }
            });
    boolean grown = true;
    while (grown) {
      grown = false;
      for (Function f : component.functions().values()) {
        grown |= !warps.contains(f.name()) && calls(f, warps) && warps.add(f.name());
      }
    }
    for (Function f : component.functions().values()) {
      if (warps.contains(f.name())) {
        names.add(f.name());
        if (facts.isUnclear(f.name())) {
          unclear(f, f.name() + " is also used in code that the analysis does not support");
        }
      }
    }
  }

  private static boolean calls(Function f, Set<String> names) {
    boolean[] found = {false};
    Visitor.statements(
        f.body().block(),
        s -> {},
        x -> found[0] |= x instanceof Expr.Call call && names.contains(call.name()));
    return found[0];
  }

  private void launched(Function root) {
    if (!root.kernel()) {
      unclear(root, "no visible kernel calls " + root.name());
      return;
    }
    names.add(root.name());
    List<Launch> known = facts.launches().of(root.name());
    long counted = known.stream().filter(l -> facts.unit(l.path()).isPresent()).count();
    if (known.isEmpty() || facts.mentions(root.name()) > counted) {
      unclear(
          root,
          known.isEmpty()
              ? "no launch of " + root.name() + " is visible"
              : root.name() + " is used outside a launch");
    }
    for (Launch l : known) {
      Optional<List<Long>> block = facts.launches().block(l);
      if (block.isEmpty()) {
        against(
            l,
            Obstacle.Kind.UNCLEAR,
            "the block size of a launch of " + root.name() + " is not known");
      } else if (block.get().get(1) != 1 || block.get().get(2) != 1) {
        against(
            l,
            Obstacle.Kind.UNCLEAR,
            "the blocks of " + root.name() + " have more than one dimension");
      } else if (block.get().getFirst() % 64 != 0) {
        against(
            l,
            Obstacle.Kind.MEANT,
            root.name() + " is launched with blocks of " + block.get().getFirst() + " threads");
      }
    }
  }

  private void against(Launch l, Obstacle.Kind kind, String why) {
    obstacles.add(new Obstacle(kind, l.path(), l.at(), why));
  }
}
