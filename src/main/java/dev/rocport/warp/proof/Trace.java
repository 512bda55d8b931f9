package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.NameSet;
import dev.rocport.warp.ir.Span;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Collects what the interpretation of one kernel and all functions that it calls shows. */
public final class Trace {
  /** A place in a file. */
  public record Place(String path, int start, int end) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::path)
            .thenComparingInt(Place::start)
            .thenComparingInt(Place::end);

    @Override
    public int compareTo(Place o) {
      return ORDER.compare(this, o);
    }

    public static Place of(String path, Span at) {
      return new Place(path, at.start(), at.end());
    }
  }

  private final SortedMap<Place, Site> sites = new TreeMap<>();
  private final Set<Place> plain = new HashSet<>();
  private final SortedMap<Place, Site> numbers = new TreeMap<>();
  private final SortedMap<Place, Obstacle> obstacles = new TreeMap<>();
  private final Map<String, Function> functions = new TreeMap<>();
  private int ladders;

  /** Where the variables are named that hold a constant, by the constant's place. */
  private final SortedMap<Place, SortedSet<Place>> uses = new TreeMap<>();

  /** Those uses that mean the warp size. */
  private final Set<Place> meant = new HashSet<>();

  /** Types of variables that hold a mask. */
  private final SortedMap<Place, String> masks = new TreeMap<>();

  /** Types of variables that hold numbers. */
  private final Set<Place> numbered = new HashSet<>();

  /**
   * What was collected.
   *
   * @param asked the names that were looked up
   */
  Evidence evidence(NameSet asked) {
    return sites.isEmpty()
        ? new Evidence(List.of(), List.of(), List.of(), List.of(), functions, ladders, asked)
        : new Evidence(
            List.copyOf(sites.values()),
            obstacles(),
            loose(),
            List.copyOf(plain),
            functions,
            ladders,
            asked);
  }

  /** What speaks against wider warps, the constants that mean something else, too, included. */
  private List<Obstacle> obstacles() {
    uses.forEach(
        (origin, places) -> {
          if (sites.containsKey(origin)) {
            places.stream()
                .filter(p -> !meant.contains(p))
                .forEach(
                    p ->
                        obstacle(
                            Obstacle.Kind.MEANT,
                            p.path(),
                            new Span(p.start(), p.end(), true),
                            "a value that holds the warp size is used here for another purpose"));
          }
        });
    masks.forEach(
        (place, name) -> {
          if (numbered.contains(place)) {
            obstacle(
                Obstacle.Kind.UNWRITABLE,
                place.path(),
                new Span(place.start(), place.end(), true),
                name + " is both a mask and a number");
          }
        });
    return List.copyOf(obstacles.values());
  }

  /** A variable that holds a constant is named. */
  void use(Origin o, Place at) {
    uses.computeIfAbsent(Place.of(o.path(), o.at()), k -> new TreeSet<>()).add(at);
  }

  /** A variable holds a number. */
  void number(VariableKey v) {
    numbered.add(Place.of(v.path(), v.typeAt()));
  }

  void enter(Function f) {
    functions.putIfAbsent(f.key(), f);
  }

  /** A number that may speak of a warp: 32, 31, 16, 5, or the mask of 32 lanes. */
  void number(String path, Span at, String text, long value) {
    if (value == 32 || value == 31 || value == 16 || value == 5 || value == 0xffffffffL) {
      numbers.put(Place.of(path, at), new Site(Site.Kind.COMPARISON, path, at, text, ""));
    }
  }

  /** Such numbers of which no site is made. */
  private List<Site> loose() {
    return numbers.values().stream()
        .filter(
            n ->
                sites.values().stream()
                    .noneMatch(
                        s ->
                            s.path().equals(n.path())
                                && s.at().start() <= n.at().start()
                                && n.at().end() <= s.at().end()))
        .toList();
  }

  void ladder() {
    ladders++;
  }

  void site(Site.Kind kind, String path, Span at, String text, String wide) {
    Place place = Place.of(path, at);
    if (!at.editable()) {
      obstacle(
          Obstacle.Kind.UNWRITABLE, path, at, "code that depends on the warp size is in a macro");
      return;
    }
    Site known = sites.get(place);
    if (plain.contains(place) || (known != null && !known.wide().equals(wide))) {
      both(path, at);
    }
    sites.put(place, new Site(kind, path, at, text, wide));
  }

  /** A constant stood for the warp size. */
  void constant(Site.Kind kind, Value.Const c, String wide) {
    Origin o = c.origin();
    if (o.equals(Origin.NOWHERE)) {
      return;
    }
    meant.addAll(o.uses());
    site(kind, o.path(), o.at(), o.text(), wide);
  }

  /** The same expression was just a number. */
  void plain(String path, Span at) {
    Place place = Place.of(path, at);
    if (sites.containsKey(place)) {
      both(path, at);
    }
    plain.add(place);
  }

  void mask(VariableKey v, String type) {
    masks.put(Place.of(v.path(), v.typeAt()), v.name());
    if (!v.alone() || v.type().isBlank()) {
      obstacle(
          Obstacle.Kind.UNWRITABLE,
          v.path(),
          v.typeAt(),
          "the declaration of the mask " + v.name() + " also declares other variables");
    } else if (!v.type().strip().equals("auto") && !v.type().strip().equals("const auto")) {
      site(Site.Kind.TYPE, v.path(), v.typeAt(), v.type(), type);
    }
  }

  void obstacle(Obstacle.Kind kind, String path, Span at, String why) {
    obstacles.putIfAbsent(Place.of(path, at), new Obstacle(kind, path, at, why));
  }

  private void both(String path, Span at) {
    obstacle(
        Obstacle.Kind.MEANT,
        path,
        at,
        "one caller uses this value as the warp size, and another caller uses it as a plain"
            + " number");
  }
}
