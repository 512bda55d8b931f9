package dev.rocport.build.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Assigns the objects of a tree to programs by their symbols: a program is an object with {@code
 * main} and all objects that it needs. Objects with a {@code main} are never part of another
 * program.
 */
public final class LinkResolver {
  private final SortedMap<String, ObjectSymbols> objects;
  private final Map<String, List<String>> strong = new HashMap<>();
  private final Map<String, List<String>> weak = new HashMap<>();

  /**
   * The objects of one program.
   *
   * @param main path of the source with {@code main}
   * @param needed paths of all its sources, {@code main} first
   * @param optional sources that are not referenced but run code at start, such as registrations
   * @param wanted symbols that no object of the tree defines
   * @param notes choices that may be wrong
   */
  public record Program(
      String main,
      List<String> needed,
      List<String> optional,
      NavigableSet<String> wanted,
      List<String> notes) {}

  /**
   * @param objects symbols by the path of the source
   */
  public LinkResolver(SortedMap<String, ObjectSymbols> objects) {
    this.objects = objects;
    objects.forEach(
        (path, s) -> {
          if (!s.hasMain()) {
            s.strong().forEach(n -> strong.computeIfAbsent(n, k -> new ArrayList<>()).add(path));
            s.weak().forEach(n -> weak.computeIfAbsent(n, k -> new ArrayList<>()).add(path));
          }
        });
  }

  /** Returns one program for each {@code main}, in order of the path. */
  public List<Program> programs() {
    List<String> mains =
        objects.entrySet().stream()
            .filter(e -> e.getValue().hasMain())
            .map(Map.Entry::getKey)
            .toList();
    return mains.stream().map(m -> program(m, mains.size() == 1)).toList();
  }

  private Program program(String main, boolean alone) {
    List<String> notes = new ArrayList<>();
    Set<String> needed = closure(List.of(main), main, notes);
    List<String> optional = new ArrayList<>();
    if (alone) {
      objects.forEach(
          (path, s) -> {
            if (!needed.contains(path) && s.hasInitialisers() && fits(s, needed)) {
              optional.add(path);
            }
          });
    }
    if (!optional.isEmpty()) {
      List<String> seeds = new ArrayList<>(needed);
      seeds.addAll(optional);
      Set<String> more = closure(seeds, main, new ArrayList<>());
      more.removeAll(needed);
      optional.clear();
      optional.addAll(more);
    }
    return new Program(main, List.copyOf(needed), optional, open(needed), notes);
  }

  private Set<String> closure(List<String> seeds, String main, List<String> notes) {
    Set<String> in = new LinkedHashSet<>(seeds);
    Set<String> defined = new LinkedHashSet<>();
    ArrayDeque<String> queue = new ArrayDeque<>(seeds);
    seeds.forEach(s -> define(s, defined));
    while (!queue.isEmpty()) {
      for (String name : symbols(queue.remove()).wanted()) {
        if (defined.contains(name)) {
          continue;
        }
        List<String> from = strong.getOrDefault(name, weak.getOrDefault(name, List.of()));
        if (from.isEmpty()) {
          continue;
        }
        String best = nearest(main, from);
        if (strong.containsKey(name) && from.size() > 1) {
          notes.add(
              "%s: %s is defined by %s; using %s"
                  .formatted(main, name, String.join(" and ", from), best));
        }
        in.add(best);
        define(best, defined);
        queue.add(best);
      }
    }
    return in;
  }

  private void define(String path, Set<String> defined) {
    defined.addAll(symbols(path).strong());
    defined.addAll(symbols(path).weak());
  }

  /** Returns whether no strong symbol of the object is already defined. */
  private boolean fits(ObjectSymbols s, Collection<String> in) {
    return !s.hasMain()
        && in.stream().allMatch(p -> Collections.disjoint(symbols(p).strong(), s.strong()));
  }

  private NavigableSet<String> open(Collection<String> in) {
    NavigableSet<String> wanted = new TreeSet<>();
    in.forEach(p -> wanted.addAll(symbols(p).wanted()));
    for (String p : in) {
      wanted.removeAll(symbols(p).strong());
      wanted.removeAll(symbols(p).weak());
    }
    return wanted;
  }

  private ObjectSymbols symbols(String path) {
    ObjectSymbols s = objects.get(path);
    if (s == null) {
      throw new IllegalArgumentException("no object for " + path);
    }
    return s;
  }

  /** Returns the path with the most folders in common, then the shortest, then the first. */
  public static String nearest(String to, List<String> from) {
    return from.stream()
        .min(
            Comparator.<String>comparingInt(p -> -common(to, p))
                .thenComparingInt(p -> p.split("/").length)
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow();
  }

  private static int common(String a, String b) {
    String[] x = a.split("/");
    String[] y = b.split("/");
    int n = 0;
    while (n < x.length - 1 && n < y.length - 1 && x[n].equals(y[n])) {
      n++;
    }
    return n;
  }
}
