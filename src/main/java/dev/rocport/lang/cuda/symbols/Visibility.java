package dev.rocport.lang.cuda.symbols;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.lang.cuda.symbols.Definition.Reach;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The names of CUDA to which a project gives a meaning of its own, file by file. A definition
 * counts in the files that end after it in some translation unit: its own, those that include it,
 * and those that are included after it.
 */
final class Visibility {
  static final Visibility NONE = new Visibility(Map.of(), Map.of(), Set.of());

  private final Map<String, Set<String>> seen;
  private final Map<String, Set<String>> mixed;

  /** The names of all definitions, without their scopes. */
  private final Set<String> all;

  private Visibility(
      Map<String, Set<String>> seen, Map<String, Set<String>> mixed, Set<String> all) {
    this.seen = seen;
    this.mixed = mixed;
    this.all = all;
  }

  /** True if a file of the project, one of its classes or namespaces has the name. */
  boolean isAnywhere(String name) {
    return all.contains(name);
  }

  /** The names that have a meaning of their own in a file, sorted. */
  Set<String> in(String path) {
    return seen.getOrDefault(path, Set.of());
  }

  /** Those among them that are CUDA's in another translation unit with the file, sorted. */
  Set<String> mixedIn(String path) {
    return mixed.getOrDefault(path, Set.of());
  }

  void write(PackedWriter out) {
    out.map(seen, (Set<String> names) -> out.list(names, out::text));
    out.map(mixed, (Set<String> names) -> out.list(names, out::text));
    out.list(all, out::text);
  }

  static Visibility read(PackedReader in) {
    return new Visibility(
        in.map(() -> names(in)), in.map(() -> names(in)), new HashSet<>(in.list(in::text)));
  }

  /** Reads names in their order. */
  static Set<String> names(PackedReader in) {
    List<String> names = in.list(in::text);
    return names.isEmpty() ? Set.of() : Collections.unmodifiableSet(new LinkedHashSet<>(names));
  }

  static Visibility of(Collection<ProjectIndex.Scan> scans, Includes includes) {
    Map<String, List<Definition>> defined = defined(scans);
    return defined.isEmpty() ? NONE : new Walk(scans, includes, defined).visibility();
  }

  /** What files define; a prototype counts only if another file has the function. */
  private static Map<String, List<Definition>> defined(Collection<ProjectIndex.Scan> scans) {
    Set<String> linked = new HashSet<>();
    for (ProjectIndex.Scan scan : scans) {
      for (Definition d : scan.definitions()) {
        if (d.reach() == Reach.LINK) {
          linked.add(d.name());
        }
      }
    }
    Map<String, List<Definition>> defined = new HashMap<>();
    for (ProjectIndex.Scan scan : scans) {
      List<Definition> here =
          scan.definitions().stream()
              .filter(d -> d.reach() != Reach.PROTOTYPE || linked.contains(d.name()))
              .toList();
      if (!here.isEmpty()) {
        defined.put(scan.path(), here);
      }
    }
    return defined;
  }

  /** Goes through all translation units. */
  private static final class Walk {
    private final Map<String, ProjectIndex.Scan> files = new HashMap<>();
    private final Map<String, List<List<String>>> included = new HashMap<>();
    private final Map<String, List<Definition>> defined;
    private final List<String> names;
    private final Map<String, Integer> bits = new HashMap<>();
    private final Map<String, BitSet> seen = new HashMap<>();
    private final Map<String, BitSet> unseen = new HashMap<>();

    /** A file that is being read: how many of its includes are behind. */
    private static final class Frame {
      final String path;
      int next;
      final Deque<String> pending = new ArrayDeque<>();

      Frame(String path) {
        this.path = path;
      }
    }

    Walk(
        Collection<ProjectIndex.Scan> scans,
        Includes includes,
        Map<String, List<Definition>> defined) {
      this.defined = defined;
      SortedSet<String> all = new TreeSet<>();
      defined.values().forEach(list -> list.forEach(d -> all.add(d.name())));
      names = List.copyOf(all);
      for (int i = 0; i < names.size(); i++) {
        bits.put(names.get(i), i);
      }
      Set<String> inner = new HashSet<>();
      for (ProjectIndex.Scan scan : scans) {
        files.put(scan.path(), scan);
        List<List<String>> targets = new ArrayList<>();
        for (String include : scan.includes()) {
          List<String> found = include.isEmpty() ? List.of() : includes.of(scan.path(), include);
          targets.add(found);
          inner.addAll(found);
        }
        included.put(scan.path(), targets);
      }
      for (String path : new TreeSet<>(files.keySet())) {
        if (Includes.isUnit(path) || !inner.contains(path)) {
          unit(path);
        }
      }
      for (String path : new TreeSet<>(files.keySet())) {
        if (!seen.containsKey(path)) {
          unit(path); // headers that include each other
        }
      }
    }

    private void unit(String root) {
      Set<String> entered = new HashSet<>(List.of(root));
      BitSet known = new BitSet();
      Deque<Frame> stack = new ArrayDeque<>(List.of(new Frame(root)));
      while (!stack.isEmpty()) {
        Frame f = stack.peek();
        String inner = f.pending.poll();
        if (inner != null) {
          if (entered.add(inner)) {
            stack.push(new Frame(inner));
          }
          continue;
        }
        List<List<String>> targets = included.getOrDefault(f.path, List.of());
        define(f.path, f.next, f.next == targets.size() ? Integer.MAX_VALUE : f.next, known);
        if (f.next < targets.size()) {
          f.pending.addAll(targets.get(f.next++));
          continue;
        }
        stack.pop();
        seen.computeIfAbsent(f.path, k -> new BitSet()).or(known);
        BitSet missing = unseen.computeIfAbsent(f.path, k -> new BitSet());
        BitSet rest = new BitSet();
        rest.set(0, names.size());
        rest.andNot(known);
        missing.or(rest);
      }
    }

    private void define(String path, int from, int to, BitSet known) {
      for (Definition d : defined.getOrDefault(path, List.of())) {
        if (d.includes() >= from && d.includes() <= to) {
          known.set(bits.getOrDefault(d.name(), 0));
        }
      }
    }

    Visibility visibility() {
      Map<String, Set<String>> own = new HashMap<>();
      Map<String, Set<String>> mixed = new HashMap<>();
      seen.forEach(
          (path, bitSet) -> {
            BitSet both = (BitSet) bitSet.clone();
            both.and(unseen.getOrDefault(path, new BitSet()));
            own.put(path, named(bitSet));
            mixed.put(path, named(both));
          });
      Set<String> all = new HashSet<>();
      names.forEach(n -> all.add(n.substring(n.indexOf("::") < 0 ? 0 : n.indexOf("::") + 2)));
      return new Visibility(own, mixed, all);
    }

    private final Map<BitSet, Set<String>> sets = new HashMap<>();

    private Set<String> named(BitSet set) {
      return sets.computeIfAbsent(
          set,
          s -> {
            Set<String> result = new LinkedHashSet<>();
            s.stream().forEach(i -> result.add(names.get(i)));
            return Collections.unmodifiableSet(result);
          });
    }
  }
}
