package dev.rocport.warp;

import dev.rocport.rules.PortOptions;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Launch;
import dev.rocport.warp.ir.Names;
import dev.rocport.warp.ir.Unit;
import dev.rocport.warp.ir.Visitor;
import dev.rocport.warp.proof.FunctionTable;
import dev.rocport.warp.proof.Obstacle;
import dev.rocport.warp.proof.Proof;
import dev.rocport.warp.proof.Site;
import dev.rocport.warp.proof.Trace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides what 32 means in the warp code of a project: follows kernels and all functions that they
 * call over all files. Kernels that share a function with warp code get one decision.
 */
public final class WarpModel {
  public static final WarpModel NONE = new WarpModel(Map.of());

  private static final String BOUND =
      "Check tables, rows and limits that are sized for 32 lanes per call: they now apply to all"
          + " lanes of a wave.";

  private final Map<String, WarpPlan> plans;

  private WarpModel(Map<String, WarpPlan> plans) {
    this.plans = plans;
  }

  /**
   * Decides for a project.
   *
   * @param mode the mode that the user selected
   */
  public static WarpModel of(Collection<WarpScan> scans, PortOptions.Warp mode) {
    List<WarpScan> sorted = scans.stream().sorted(Comparator.comparing(WarpScan::path)).toList();
    if (sorted.stream().allMatch(s -> s.unit().isEmpty())) {
      return NONE;
    }
    return new WarpModel(new Builder(sorted, mode).build());
  }

  /** The plan for a file. */
  public WarpPlan plan(String path) {
    return plans.getOrDefault(path, WarpPlan.NONE);
  }

  /** Changes where the decisions do. */
  public String key() {
    StringBuilder b = new StringBuilder();
    plans.forEach((path, plan) -> b.append(path).append(plan.key()));
    return b.toString();
  }

  private static final class Builder {
    private final List<WarpScan> scans;
    private final PortOptions.Warp mode;
    private final LaunchSizes launches;
    private final Names mentions = new Names();

    /** How often names are in files where no tree shows what for, less the launches. */
    private final Names unseen = new Names();

    private final List<Function> device = new ArrayList<>();
    private final Map<String, Unit> units = new HashMap<>();
    private final FunctionTable table;

    /** Files that were not looked into and include a header, by the header. */
    private final Map<String, Optional<String>> includers = new HashMap<>();

    /** Whether there is a file with device code that was not looked into. */
    private final boolean anyUnread;

    Builder(List<WarpScan> scans, PortOptions.Warp mode) {
      this.scans = scans;
      this.mode = mode;
      this.launches = LaunchSizes.of(scans);
      for (WarpScan s : scans) {
        s.unit().ifPresent(this::unit);
        unseen.addAll(s.unseen());
        if (s.unit().isEmpty()) {
          s.launches().forEach(l -> unseen.add(l.kernel(), -1));
        }
      }
      this.table = new FunctionTable(device, launches.constants());
      this.anyUnread = scans.stream().anyMatch(s -> s.unit().isEmpty() && s.device());
    }

    private void unit(Unit u) {
      units.put(u.path(), u);
      device.addAll(u.functions());
      mentions.addAll(u.mentions());
    }

    Map<String, WarpPlan> build() {
      List<Component> components = components();
      Map<String, List<WarpPlan.Placed>> sites = new TreeMap<>();
      Map<String, List<WarpPlan.Note>> notes = new TreeMap<>();
      for (Component c : components) {
        Judge judge = judge(c);
        Decision decision = judge.decision();
        for (Site s : c.sites()) {
          sites
              .computeIfAbsent(s.path(), k -> new ArrayList<>())
              .add(new WarpPlan.Placed(s, decision));
        }
        tell(c, judge, decision, notes);
      }
      Map<String, WarpPlan> plans = new TreeMap<>();
      sites.forEach(
          (path, list) -> plans.put(path, new WarpPlan(list, notes.getOrDefault(path, List.of()))));
      return plans;
    }

    /** Weighs what speaks against wider warps, if there is a choice. */
    private Judge judge(Component c) {
      PortOptions.Warp asked = mode(c);
      List<Obstacle> all = new ArrayList<>(c.obstacles);
      if (asked == PortOptions.Warp.WIDE) {
        all.addAll(c.loose); // a proof needs no loose numbers; here there is none
      }
      return new Judge(asked, all, c.blocks);
    }

    private PortOptions.Warp mode(Component c) {
      return c.isBound() && mode == PortOptions.Warp.AUTO ? PortOptions.Warp.WIDE : mode;
    }

    private void tell(
        Component c, Judge judge, Decision decision, Map<String, List<WarpPlan.Note>> notes) {
      int ladders = c.traces.stream().mapToInt(Trace::ladders).max().orElse(0);
      Set<String> holders = c.holders();
      boolean isBound = c.isBound();
      for (Map.Entry<String, Function> e : c.functions.entrySet()) {
        Function f = e.getValue();
        if (holders.contains(e.getKey())) {
          notes
              .computeIfAbsent(f.path(), k -> new ArrayList<>())
              .add(
                  new WarpPlan.Note(
                      decision,
                      f.nameAt(),
                      isBound ? boundMessage(c, f, judge) : judge.message(f.name(), this::place),
                      isBound ? BOUND : judge.advice(ladders),
                      isBound,
                      c.obstacles.isEmpty()));
        }
      }
    }

    private String boundMessage(Component c, Function f, Judge judge) {
      if (judge.decision() != Decision.WIDE) {
        String why =
            mode == PortOptions.Warp.GROUPS32 ? "that was requested" : judge.why(this::place);
        return f.name()
            + ": groups of 32 lanes are kept, since "
            + why
            + ", but the code calls functions that all lanes of a wave must call together";
      }
      String more = new Judge(PortOptions.Warp.AUTO, c.obstacles, c.blocks).why(this::place);
      return f.name()
          + ": warps become waves of the target, since the code calls functions that all lanes of a"
          + " wave call together"
          + (more.isEmpty() ? "" : "; check the result, since " + more);
    }

    /** The location of an obstacle, for messages. */
    private String place(Obstacle o) {
      return units.containsKey(o.path())
          ? " (" + o.path() + ":" + units.get(o.path()).line(o.at().start()) + ")"
          : " (" + o.path() + ")";
    }

    private List<Component> components() {
      List<Component> all = new ArrayList<>();
      Set<String> reached = new TreeSet<>();
      for (Function k : device) {
        if (k.kernel()) {
          add(all, k, reached);
        }
      }
      for (Function f : device) {
        if (!f.kernel() && !reached.contains(Component.key(f))) {
          add(all, f, reached);
        }
      }
      List<Component> merged = Component.merge(all);
      merged.removeIf(
          c -> !c.isBound() && c.sites().stream().noneMatch(s -> s.kind() == Site.Kind.FUNCTION));
      merged.forEach(this::oppose);
      return merged;
    }

    private void add(List<Component> all, Function root, Set<String> reached) {
      List<Launch> known = launches.of(root.name());
      Set<Long> sizes = new TreeSet<>();
      for (Launch l : known) {
        launches.block(l).ifPresent(b -> sizes.add(b.get(0) * b.get(1) * b.get(2)));
      }
      Trace trace = Proof.of(root, table, sizes);
      reached.addAll(trace.functions().keySet());
      if (trace.sites().isEmpty()) {
        return;
      }
      all.add(new Component(root, trace, sizes));
    }

    /** Collects the obstacles to wider warps. */
    private void oppose(Component c) {
      c.traces.forEach(t -> c.obstacles.addAll(t.obstacles()));
      Set<Trace.Place> plain = new HashSet<>();
      c.traces.forEach(t -> plain.addAll(t.plain()));
      for (Site s : c.sites()) {
        if (plain.contains(Trace.Place.of(s.path(), s.at()))) {
          c.obstacles.add(
              new Obstacle(
                  Obstacle.Kind.MEANT,
                  s.path(),
                  s.at(),
                  "this number is the warp size for one kernel and a plain number for another"));
        }
      }
      for (Trace t : c.traces) {
        for (Site n : t.loose()) {
          c.loose.add(
              new Obstacle(
                  Obstacle.Kind.UNWRITABLE,
                  n.path(),
                  n.at(),
                  "it is unclear what " + n.text() + " means"));
        }
      }
      for (Function root : c.roots) {
        launched(c, root);
      }
      hidden(c);
      for (Function f : c.functions.values()) {
        boolean header = !f.path().endsWith(".cu");
        if (header) {
          includers
              .computeIfAbsent(f.path(), this::includedUnseen)
              .ifPresent(
                  who ->
                      c.obstacles.add(
                          new Obstacle(
                              Obstacle.Kind.UNCLEAR,
                              f.path(),
                              f.nameAt(),
                              who + " includes this header and may call " + f.name())));
        }
      }
    }

    /** Functions that may be called from where no tree shows it: what depends on warps counts. */
    private void hidden(Component c) {
      Set<String> warps = new TreeSet<>();
      Set<String> holders = c.holders();
      c.functions.forEach(
          (key, f) -> {
            if (f.kernel() || holders.contains(key)) {
              warps.add(f.name());
            }
          });
      boolean grown = true;
      while (grown) {
        grown = false;
        for (Function f : c.functions.values()) {
          grown |= !warps.contains(f.name()) && calls(f, warps) && warps.add(f.name());
        }
      }
      for (Function f : c.functions.values()) {
        if (warps.contains(f.name()) && unseen.count(f.name()) > 0) {
          c.obstacles.add(
              new Obstacle(
                  Obstacle.Kind.UNCLEAR,
                  f.path(),
                  f.nameAt(),
                  f.name() + " is also used in code that the analysis does not support"));
        }
      }
    }

    private static boolean calls(Function f, Set<String> names) {
      boolean[] found = {false};
      Visitor.statements(
          f.body(),
          s -> {},
          x -> found[0] |= x instanceof Expr.Call call && names.contains(call.name()));
      return found[0];
    }

    private void launched(Component c, Function root) {
      if (!root.kernel()) {
        c.obstacles.add(
            new Obstacle(
                Obstacle.Kind.UNCLEAR,
                root.path(),
                root.nameAt(),
                "no visible kernel calls " + root.name()));
        return;
      }
      List<Launch> known = launches.of(root.name());
      int named = mentions.count(root.name());
      long counted = known.stream().filter(l -> units.containsKey(l.path())).count();
      if (known.isEmpty() || named > counted) {
        c.obstacles.add(
            new Obstacle(
                Obstacle.Kind.UNCLEAR,
                root.path(),
                root.nameAt(),
                known.isEmpty()
                    ? "no launch of " + root.name() + " is visible"
                    : root.name() + " is used outside a launch"));
      }
      for (Launch l : known) {
        Optional<List<Long>> block = launches.block(l);
        if (block.isEmpty()) {
          against(
              c,
              l,
              Obstacle.Kind.UNCLEAR,
              "the block size of a launch of " + root.name() + " is not known");
        } else if (block.get().get(1) != 1 || block.get().get(2) != 1) {
          against(
              c,
              l,
              Obstacle.Kind.UNCLEAR,
              "the blocks of " + root.name() + " have more than one dimension");
        } else if (block.get().getFirst() % 64 != 0) {
          against(
              c,
              l,
              Obstacle.Kind.MEANT,
              root.name() + " is launched with blocks of " + block.get().getFirst() + " threads");
        }
      }
    }

    private static void against(Component c, Launch l, Obstacle.Kind kind, String why) {
      c.obstacles.add(new Obstacle(kind, l.path(), l.at(), why));
    }

    /** A file with device code that was not looked into and includes a header, directly or not. */
    private Optional<String> includedUnseen(String header) {
      if (!anyUnread) {
        return Optional.empty();
      }
      Set<String> names = new TreeSet<>();
      names.add(header.substring(header.lastIndexOf('/') + 1));
      boolean grown = true;
      while (grown) {
        grown = false;
        for (WarpScan s : scans) {
          String name = s.path().substring(s.path().lastIndexOf('/') + 1);
          if (!names.contains(name) && s.includes().stream().anyMatch(names::contains)) {
            if (s.unit().isEmpty() && s.device()) {
              return Optional.of(s.path());
            }
            grown |= names.add(name);
          }
        }
      }
      return Optional.empty();
    }
  }
}
