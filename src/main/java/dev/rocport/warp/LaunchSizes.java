package dev.rocport.warp;

import dev.rocport.warp.ir.Constants;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Launch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/** The launches of a project, and the sizes of their blocks where constants determine them. */
public final class LaunchSizes {
  private final Map<String, List<Launch>> launches = new HashMap<>();
  private final Function<String, Optional<Expr>> constants;
  private final Function<String, List<Launch>> others;

  /**
   * @param constants the values of names; empty for names with several values
   * @param others launches that were not added, by the kernel, in order of their files
   */
  LaunchSizes(Function<String, Optional<Expr>> constants, Function<String, List<Launch>> others) {
    this.constants = constants;
    this.others = others;
  }

  /**
   * Replaces the launches of a file.
   *
   * @return kernels whose launches are others than before
   */
  Set<String> replace(List<Launch> before, List<Launch> now) {
    if (before.equals(now)) {
      return Set.of();
    }
    Set<String> kernels = new HashSet<>();
    for (Launch l : before) {
      kernels.add(l.kernel());
      launches.computeIfPresent(
          l.kernel(),
          (k, all) -> {
            List<Launch> left = new ArrayList<>(all);
            left.remove(l);
            return left.isEmpty() ? null : left;
          });
    }
    for (Launch l : now) {
      kernels.add(l.kernel());
      launches.computeIfAbsent(l.kernel(), k -> new ArrayList<>(1)).add(l);
    }
    for (String kernel : kernels) {
      // stable: those of one file stay in their order
      launches.computeIfPresent(
          kernel,
          (k, all) -> {
            all.sort(Comparator.comparing(Launch::path));
            return all;
          });
    }
    return kernels;
  }

  /**
   * Returns the launches of a kernel, in order of their files.
   *
   * @param kernel its name without scopes
   */
  public List<Launch> of(String kernel) {
    List<Launch> added = launches.get(kernel);
    return added == null ? others.apply(kernel) : added;
  }

  /** Returns the threads of a block in all launches of a kernel of which they are known. */
  SortedSet<Long> threads(String kernel) {
    SortedSet<Long> threads = new TreeSet<>();
    for (Launch l : of(kernel)) {
      block(l).ifPresent(b -> threads.add(b.get(0) * b.get(1) * b.get(2)));
    }
    return threads;
  }

  /** Returns the kernels of launches whose blocks depend on one of these constants. */
  Set<String> dependingOn(Set<String> names) {
    Set<String> kernels = new HashSet<>();
    for (List<Launch> all : launches.values()) {
      for (Launch l : all) {
        block(
            l,
            name -> {
              if (names.contains(name)) {
                kernels.add(l.kernel());
              }
              return constants.apply(name);
            });
      }
    }
    return kernels;
  }

  /** Returns the constants on which the blocks of these launches depend. */
  Set<String> constants(Collection<Launch> some) {
    Set<String> names = new HashSet<>();
    for (Launch l : some) {
      block(
          l,
          name -> {
            names.add(name);
            return constants.apply(name);
          });
    }
    return names;
  }

  /** Returns the threads of a block in x, y and z; empty if one of them is not known. */
  public Optional<List<Long>> block(Launch launch) {
    return block(launch, constants);
  }

  private static Optional<List<Long>> block(
      Launch launch, Function<String, Optional<Expr>> constants) {
    return Constants.dimensions(
        launch.block(),
        name ->
            launch.locals().containsKey(name)
                ? Optional.of(launch.locals().get(name))
                : constants.apply(name));
  }
}
