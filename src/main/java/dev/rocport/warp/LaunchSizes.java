package dev.rocport.warp;

import dev.rocport.warp.ir.Constants;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Launch;
import dev.rocport.warp.ir.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The launches of a project, and the sizes of their blocks where constants determine them. */
public final class LaunchSizes {
  private final Map<String, List<Launch>> launches = new HashMap<>();
  private final Map<String, Optional<Expr>> constants = new TreeMap<>();

  private LaunchSizes() {}

  /** Collects the launches of all files. */
  public static LaunchSizes of(Collection<WarpScan> scans) {
    LaunchSizes sizes = new LaunchSizes();
    scans.stream().sorted(Comparator.comparing(WarpScan::path)).forEach(sizes::add);
    return sizes;
  }

  private void add(WarpScan scan) {
    scan.launches().forEach(this::add);
    scan.unit().ifPresent(this::add);
  }

  private void add(Launch launch) {
    launches.computeIfAbsent(launch.kernel(), k -> new ArrayList<>()).add(launch);
  }

  private void add(Unit unit) {
    unit.launches().forEach(this::add);
    unit.constants()
        .forEach(
            (name, x) ->
                constants.merge(
                    name,
                    x,
                    (a, b) ->
                        a.isPresent()
                                && b.isPresent()
                                && Constants.of(a.get(), this::constant)
                                    .equals(Constants.of(b.get(), this::constant))
                            ? a
                            : Optional.empty()));
  }

  private Optional<Expr> constant(String name) {
    return constants.getOrDefault(name, Optional.empty());
  }

  /** Constants of all files by name; empty for names with several values. */
  Map<String, Optional<Expr>> constants() {
    return constants;
  }

  /**
   * Returns the launches of a kernel.
   *
   * @param kernel its name without scopes
   */
  public List<Launch> of(String kernel) {
    return launches.getOrDefault(kernel, List.of());
  }

  /** Returns the threads of a block in x, y and z; empty if one of them is not known. */
  public Optional<List<Long>> block(Launch launch) {
    return Constants.dimensions(
        launch.block(),
        name ->
            launch.locals().containsKey(name)
                ? Optional.of(launch.locals().get(name))
                : constant(name));
  }
}
