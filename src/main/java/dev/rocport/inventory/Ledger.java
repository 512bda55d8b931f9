package dev.rocport.inventory;

import dev.rocport.inventory.Bill.Name;
import dev.rocport.inventory.Bill.Note;
import dev.rocport.inventory.Bill.Target;
import dev.rocport.inventory.Bill.Use;
import dev.rocport.inventory.Evidence.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Takes what is found, file by file. */
final class Ledger {
  private final Map<Component, Map<Key, Evidence>> found = new LinkedHashMap<>();
  private final Map<Component, SortedMap<String, Name>> names = new LinkedHashMap<>();
  private final Map<String, Target> targets = new LinkedHashMap<>();
  private final List<Note> notes = new ArrayList<>();

  /** Macros that the tree defines: not CUDA names, even if they look like them. */
  private final Set<String> own = new HashSet<>();

  /** What counts as one piece of evidence. */
  private record Key(Kind kind, String path, String text) {}

  /** Appends the findings of another ledger. */
  void addAll(Ledger other) {
    other.found.forEach(
        (component, evidence) -> {
          Map<Key, Evidence> into = found.computeIfAbsent(component, c -> new LinkedHashMap<>());
          evidence.forEach((key, e) -> into.merge(key, e, (a, b) -> a.more(b.count())));
        });
    other.names.forEach(
        (component, used) -> {
          SortedMap<String, Name> into = names.computeIfAbsent(component, c -> new TreeMap<>());
          used.forEach((name, n) -> into.merge(name, n, Ledger::sum));
        });
    other.targets.forEach((key, t) -> targets.merge(key, t, (a, b) -> a));
    notes.addAll(other.notes);
    own.addAll(other.own);
  }

  private static Name sum(Name a, Name b) {
    return new Name(a.cuda(), a.hip(), a.count() + b.count());
  }

  void add(Component component, Evidence e) {
    found
        .computeIfAbsent(component, c -> new LinkedHashMap<>())
        .merge(new Key(e.kind(), e.path(), e.text()), e, (old, more) -> old.more(more.count()));
  }

  /** A name that is used, with its counterpart. */
  void name(Component component, String cuda, String hip, String path, int line) {
    add(component, new Evidence(Kind.NAME, path, line, cuda, ""));
    names
        .computeIfAbsent(component, c -> new TreeMap<>())
        .merge(cuda, new Name(cuda, hip, 1), Ledger::sum);
  }

  void target(String name, String how, Evidence e) {
    targets.putIfAbsent(name + " " + how + " " + e.path(), new Target(name, how, e));
  }

  /** A macro that the tree defines. */
  void defines(String macro) {
    own.add(macro);
  }

  void note(String path, String message) {
    notes.add(new Note(path, message));
  }

  Bill bill(List<String> roots, int files) {
    List<Use> uses = new ArrayList<>();
    found.forEach(
        (component, evidence) -> {
          evidence.keySet().removeIf(k -> k.kind() == Kind.NAME && own.contains(k.text()));
          names.getOrDefault(component, new TreeMap<>()).keySet().removeAll(own);
          if (!evidence.isEmpty()) {
            uses.add(use(component, evidence.values()));
          }
        });
    uses.sort(
        Comparator.comparing((Use u) -> u.component().group())
            .thenComparing(u -> u.component().name())
            .thenComparing(u -> u.component().id()));
    List<Target> sorted = new ArrayList<>(targets.values());
    sorted.sort(Target.ORDER);
    notes.sort(Comparator.comparing(Note::path).thenComparing(Note::message));
    return new Bill(roots, files, uses, sorted, notes);
  }

  private Use use(Component component, Iterable<Evidence> evidence) {
    List<Evidence> sorted = new ArrayList<>();
    TreeSet<String> versions = new TreeSet<>();
    for (Evidence e : evidence) {
      sorted.add(e);
      if (!e.version().isEmpty()) {
        versions.add(e.version());
      }
    }
    sorted.sort(
        Comparator.comparing(Evidence::kind)
            .thenComparing(Evidence::path)
            .thenComparing(Evidence::line)
            .thenComparing(Evidence::text));
    SortedMap<String, Name> used = names.getOrDefault(component, new TreeMap<>());
    boolean all = used.values().stream().noneMatch(n -> n.hip().isEmpty());
    Support support =
        component.support() == Support.YES && !all ? Support.PARTLY : component.support();
    return new Use(component, support, versions, List.copyOf(sorted), used);
  }
}
