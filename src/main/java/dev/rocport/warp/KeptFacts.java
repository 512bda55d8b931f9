package dev.rocport.warp;

import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Launch;
import dev.rocport.warp.ir.Names;
import dev.rocport.warp.ir.Unit;
import dev.rocport.warp.proof.FunctionTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the files of a project say together, where evidence about an earlier state of the project
 * tells which of them have to be looked at.
 */
final class KeptFacts implements Facts {
  private final WarpEvidence kept;
  private final KeptScans files;
  private final SortedMap<String, WarpScan> changed;
  private final Map<String, List<Function>> functionsByName = new HashMap<>();
  private final Map<String, List<Launch>> launchesByKernel = new HashMap<>();
  private final Map<String, Map<Optional<Expr>, Integer>> given = new HashMap<>();
  private final Map<String, Optional<Expr>> values = new HashMap<>();
  private final FunctionTable functions = new FunctionTable(this::constant, this::named);
  private final LaunchSizes launches = new LaunchSizes(this::constant, this::launchesOf);
  private final Names mentions = new Names();
  private final Names unclear = new Names();
  private @Nullable Includers includers;

  /**
   * @param changed files that were added, changed or removed, as they are now
   */
  KeptFacts(WarpEvidence kept, KeptScans files, SortedMap<String, WarpScan> changed) {
    this.kept = kept;
    this.files = files;
    this.changed = changed;
    mentions.addAll(kept.mentions());
    unclear.addAll(kept.unclear());
    changed.forEach(
        (path, now) -> {
          WarpScan before = before(path);
          mentions.removeAll(before.mentions());
          mentions.addAll(now.mentions());
          unclear.removeAll(before.unclear());
          unclear.addAll(now.unclear());
          if (!before.constants().equals(now.constants())) {
            before.constants().forEach((name, x) -> give(name, x, -1));
            now.constants().forEach((name, x) -> give(name, x, 1));
          }
        });
  }

  private void give(String name, Optional<Expr> x, int files) {
    given.computeIfAbsent(name, kept::given).merge(x, files, (a, b) -> a + b == 0 ? null : a + b);
  }

  /** Returns the facts of a file as they were; none if there was no such file. */
  WarpScan before(String path) {
    return files.scan(path).orElseGet(() -> WarpScan.none(path));
  }

  /** Returns the facts of a file. */
  WarpScan scan(String path) {
    WarpScan now = changed.get(path);
    return now == null ? before(path) : now;
  }

  /** Returns files by their numbers, those that have changed excluded. */
  List<WarpScan> unchanged(int[] numbers) {
    List<WarpScan> scans = new ArrayList<>();
    for (int n : numbers) {
      String path = files.path(n);
      if (!changed.containsKey(path)) {
        scans.add(before(path));
      }
    }
    return scans;
  }

  /** Returns files by their numbers as they are now, and those that have changed. */
  private Collection<WarpScan> now(int[] numbers) {
    SortedMap<String, WarpScan> all = new TreeMap<>(changed);
    unchanged(numbers).forEach(s -> all.put(s.path(), s));
    return all.values();
  }

  @Override
  public FunctionTable functions() {
    return functions;
  }

  private List<Function> named(String name) {
    return functionsByName.computeIfAbsent(name, n -> named(n, now(kept.defining().of(n))));
  }

  private static List<Function> named(String name, Collection<WarpScan> scans) {
    return scans.stream()
        .flatMap(s -> s.functions().stream())
        .filter(f -> f.name().equals(name))
        .toList();
  }

  @Override
  public LaunchSizes launches() {
    return launches;
  }

  private List<Launch> launchesOf(String kernel) {
    return launchesByKernel.computeIfAbsent(
        kernel,
        k ->
            now(kept.launching().of(k)).stream()
                .flatMap(s -> s.allLaunches().stream())
                .filter(l -> l.kernel().equals(k))
                .sorted(Comparator.comparing(Launch::path))
                .toList());
  }

  private Optional<Expr> constant(String name) {
    Optional<Expr> known = values.get(name);
    if (known == null) {
      known = ProjectConstants.value(name, this::given);
      values.put(name, known);
    }
    return known;
  }

  private Map<Optional<Expr>, Integer> given(String name) {
    Map<Optional<Expr>, Integer> known = given.get(name);
    if (known == null) {
      known = kept.given(name);
      given.put(name, known);
    }
    return known;
  }

  /** Returns the names of functions and constants that mean something else than before. */
  Set<String> answers() {
    Set<String> open = new HashSet<>(kept.disputed());
    Set<String> answers = new HashSet<>();
    changed.forEach(
        (path, now) -> {
          WarpScan before = before(path);
          open.addAll(before.constants().keySet());
          open.addAll(now.constants().keySet());
          answers.addAll(ProjectFacts.redefined(before, now));
        });
    for (String name : open) {
      if (!ProjectConstants.value(name, kept::given).equals(constant(name))) {
        answers.add(name);
      }
    }
    return answers;
  }

  /**
   * Returns the kernels whose launches or blocks may be others than before.
   *
   * @param answers names of constants that mean something else
   */
  Set<String> launched(Set<String> answers) {
    Set<String> kernels = new HashSet<>();
    changed.forEach(
        (path, now) -> {
          List<Launch> before = before(path).allLaunches();
          if (!before.equals(now.allLaunches())) {
            before.forEach(l -> kernels.add(l.kernel()));
            now.allLaunches().forEach(l -> kernels.add(l.kernel()));
          }
        });
    for (String name : answers) {
      for (WarpScan scan : now(kept.sizing().of(name))) {
        scan.allLaunches().forEach(l -> kernels.add(l.kernel()));
      }
    }
    return kernels;
  }

  @Override
  public Optional<Unit> unit(String path) {
    return scan(path).unit();
  }

  @Override
  public int mentions(String name) {
    return mentions.count(name);
  }

  @Override
  public boolean isUnclear(String name) {
    return unclear.count(name) > 0;
  }

  @Override
  public Includers includers() {
    Includers known = includers;
    if (known == null) {
      SortedMap<String, Includers.File> all = new TreeMap<>();
      kept.includers().forEach(f -> all.put(f.path(), f));
      changed.forEach((path, scan) -> all.put(path, scan.includer()));
      known = new Includers(all.values());
      includers = known;
    }
    return known;
  }
}
