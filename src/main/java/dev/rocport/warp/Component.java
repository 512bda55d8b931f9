package dev.rocport.warp;

import dev.rocport.warp.ir.Function;
import dev.rocport.warp.proof.Obstacle;
import dev.rocport.warp.proof.Site;
import dev.rocport.warp.proof.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Kernels that share one decision, with all functions that they call. */
final class Component {
  private static final Comparator<Site> PLACES =
      Comparator.comparing(Site::path)
          .thenComparingInt(s -> s.at().start())
          .thenComparingInt(s -> s.at().end());

  final List<Function> roots = new ArrayList<>();
  final List<Trace> traces = new ArrayList<>();

  /** By {@link #key}. */
  final SortedMap<String, Function> functions = new TreeMap<>();

  final List<Obstacle> obstacles = new ArrayList<>();
  final SortedSet<Long> blocks = new TreeSet<>();

  /** Numbers that may speak of a warp: wider warps would leave them as they are. */
  final List<Obstacle> loose = new ArrayList<>();

  /** The places that name the warp size, a later trace's in the place of an earlier one's. */
  private final SortedMap<Site, Site> sites = new TreeMap<>(PLACES);

  /** Keys of functions that held such a place in one of the traces. */
  private final Set<String> warps;

  Component(Function root, Trace trace, Set<Long> blockSizes) {
    roots.add(root);
    traces.add(trace);
    functions.putAll(trace.functions());
    blocks.addAll(blockSizes);
    trace.sites().forEach(s -> sites.put(s, s));
    this.warps = holders();
  }

  static String key(Function f) {
    return f.path() + ":" + f.nameAt().start();
  }

  /** The places that name the warp size, in order. */
  List<Site> sites() {
    return List.copyOf(sites.values());
  }

  /** It calls functions of a library that all lanes of a wave make together. */
  boolean isBound() {
    return sites.values().stream().anyMatch(s -> s.kind() == Site.Kind.COLLECTIVE);
  }

  /** Keys of the functions that hold such a place: those whose name is the last one before it. */
  Set<String> holders() {
    Map<String, NavigableMap<Integer, String>> names = new HashMap<>();
    functions.forEach(
        (key, f) ->
            names.computeIfAbsent(f.path(), k -> new TreeMap<>()).put(f.nameAt().start(), key));
    Set<String> holders = new HashSet<>();
    for (Site s : sites.values()) {
      NavigableMap<Integer, String> here = names.get(s.path());
      Map.Entry<Integer, String> last = here == null ? null : here.floorEntry(s.at().end());
      if (last != null) {
        holders.add(last.getValue());
      }
    }
    return holders;
  }

  private void absorb(Component other) {
    roots.addAll(other.roots);
    traces.addAll(other.traces);
    functions.putAll(other.functions);
    blocks.addAll(other.blocks);
    sites.putAll(other.sites);
    warps.addAll(other.warps);
  }

  /** Those that share a function in which something names the warp size become one. */
  static List<Component> merge(List<Component> all) {
    Set<Component> out = new LinkedHashSet<>();
    Map<Component, Integer> places = new HashMap<>();
    Map<String, Set<Component>> users = new HashMap<>();
    for (Component c : all) {
      places.put(c, places.size());
      Component into = c;
      for (Component o : sharing(c, users, places)) {
        o.absorb(into);
        for (String key : into.functions.keySet()) {
          Set<Component> here = users.computeIfAbsent(key, k -> new HashSet<>());
          here.remove(into);
          here.add(o);
        }
        out.remove(into);
        into = o;
      }
      if (into == c) {
        for (String key : c.functions.keySet()) {
          users.computeIfAbsent(key, k -> new HashSet<>()).add(c);
        }
      }
      out.add(into);
    }
    return new ArrayList<>(out);
  }

  /** Those found before that share such a function with this one, in their order. */
  private static List<Component> sharing(
      Component c, Map<String, Set<Component>> users, Map<Component, Integer> places) {
    Set<Component> found = new HashSet<>();
    for (String key : c.functions.keySet()) {
      for (Component o : users.getOrDefault(key, Set.of())) {
        if (c.warps.contains(key) || o.warps.contains(key)) {
          found.add(o);
        }
      }
    }
    return found.stream().sorted(Comparator.comparing(places::get)).toList();
  }
}
