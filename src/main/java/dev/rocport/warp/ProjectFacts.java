package dev.rocport.warp;

import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.NameSet;
import dev.rocport.warp.ir.Names;
import dev.rocport.warp.ir.Unit;
import dev.rocport.warp.proof.FunctionTable;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the files of a project say together about warps. Follows changes of single files. */
final class ProjectFacts implements Facts {
  /** In order of their paths. */
  private Map<String, WarpScan> scans = Map.of();

  private final ProjectConstants constants = new ProjectConstants();
  private final LaunchSizes launches = new LaunchSizes(constants::of, kernel -> List.of());
  private final FunctionTable functions = new FunctionTable(constants::of, name -> List.of());

  /** How often functions are named in what trees show. */
  private final Names mentions = new Names();

  /** How often names are used where no tree shows what for, less the launches. */
  private final Names unclear = new Names();

  /** Null until it is asked for after a change. */
  private @Nullable Includers includers;

  /**
   * What a change of files means for others.
   *
   * @param files the files that were added, changed or removed, as they are now
   * @param answers names of functions and constants that mean something else
   * @param counts names that are used more or less often, and kernels with other launches or
   *     blocks; empty for the first files
   * @param includes whether other files may include a header
   */
  record Change(
      SortedMap<String, WarpScan> files, NameSet answers, NameSet counts, boolean includes) {
    /** Returns this change and a later one together. */
    Change and(Change later) {
      SortedMap<String, WarpScan> all = new TreeMap<>(files);
      all.putAll(later.files);
      return new Change(
          all,
          NameSet.union(List.of(answers, later.answers)),
          NameSet.union(List.of(counts, later.counts)),
          includes || later.includes);
    }
  }

  @Override
  public FunctionTable functions() {
    return functions;
  }

  @Override
  public LaunchSizes launches() {
    return launches;
  }

  @Override
  public Optional<Unit> unit(String path) {
    return Optional.ofNullable(scans.get(path)).flatMap(WarpScan::unit);
  }

  @Override
  public int mentions(String name) {
    return mentions.count(name);
  }

  @Override
  public boolean isUnclear(String name) {
    return unclear.count(name) > 0;
  }

  /**
   * Replaces the facts of all files.
   *
   * @param now facts by path, in order of the paths; a file whose facts are the same object has not
   *     changed
   */
  Change update(Map<String, WarpScan> now) {
    boolean first = scans.isEmpty();
    SortedMap<String, WarpScan> changed = changed(now);
    Set<Long> counts = new HashSet<>();
    Set<String> named = new HashSet<>();
    Set<String> answers = new HashSet<>();
    boolean includes = false;
    for (Map.Entry<String, WarpScan> e : changed.entrySet()) {
      WarpScan old = of(e.getKey());
      WarpScan scan = e.getValue();
      includes |= !scans.containsKey(e.getKey()) || !now.containsKey(e.getKey());
      includes |= !old.includes().equals(scan.includes()) || old.isUnread() != scan.isUnread();
      Set<String> launched = launches.replace(old.allLaunches(), scan.allLaunches());
      if (!first) {
        launched.forEach(kernel -> counts.add(Names.key(kernel)));
        if (old.unit().isPresent() != scan.unit().isPresent()) {
          scan.allLaunches().forEach(l -> counts.add(Names.key(l.kernel())));
        }
        old.mentions().differences(scan.mentions(), counts);
        old.unclear().differences(scan.unclear(), counts);
      }
      if (!old.constants().equals(scan.constants())) {
        constants.remove(old.constants());
        constants.add(scan.constants());
        named.addAll(old.constants().keySet());
        named.addAll(scan.constants().keySet());
      }
      answers.addAll(redefined(old, scan));
      remove(old);
      add(scan);
    }
    scans = now;
    if (includes) {
      includers = null;
    }
    Set<String> values = constants.settle(named);
    if (!first && !values.isEmpty()) {
      launches.dependingOn(values).forEach(kernel -> counts.add(Names.key(kernel)));
    }
    answers.addAll(values);
    return new Change(changed, NameSet.of(answers), NameSet.ofKeys(counts), includes);
  }

  @SuppressWarnings("ReferenceEquality") // equal facts of a changed file would only cost time
  private SortedMap<String, WarpScan> changed(Map<String, WarpScan> now) {
    SortedMap<String, WarpScan> changed = new TreeMap<>();
    for (String path : scans.keySet()) {
      if (!now.containsKey(path)) {
        changed.put(path, WarpScan.none(path));
      }
    }
    now.forEach(
        (path, scan) -> {
          if (scans.get(path) != scan) {
            changed.put(path, scan);
          }
        });
    return changed;
  }

  /** Returns the names of functions that a file defines otherwise, or in another order. */
  static Set<String> redefined(WarpScan before, WarpScan now) {
    Map<String, Function> old = new LinkedHashMap<>();
    before.functions().forEach(f -> old.put(f.key(), f));
    Map<String, Function> left = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    for (Function f : now.functions()) {
      Function known = old.get(f.key());
      if (known == null || !known.isSame(f)) {
        names.add(f.name());
      } else {
        left.put(f.key(), f);
      }
    }
    old.forEach(
        (key, f) -> {
          if (!left.containsKey(key)) {
            names.add(f.name());
          }
        });
    old.keySet().retainAll(left.keySet());
    if (!List.copyOf(old.keySet()).equals(List.copyOf(left.keySet()))) {
      now.functions().forEach(f -> names.add(f.name()));
    }
    return names;
  }

  private WarpScan of(String path) {
    return scans.getOrDefault(path, WarpScan.none(path));
  }

  private void remove(WarpScan scan) {
    scan.functions().forEach(functions::remove);
    mentions.removeAll(scan.mentions());
    unclear.removeAll(scan.unclear());
  }

  private void add(WarpScan scan) {
    scan.functions().forEach(functions::add);
    mentions.addAll(scan.mentions());
    unclear.addAll(scan.unclear());
  }

  @Override
  public Includers includers() {
    Includers known = includers;
    if (known == null) {
      known = new Includers(scans.values().stream().map(WarpScan::includer).toList());
      includers = known;
    }
    return known;
  }
}
