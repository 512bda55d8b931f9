package dev.rocport.inventory;

import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * The components that a tree depends on.
 *
 * @param roots the paths as given
 * @param files how many files were looked at
 * @param uses by group and name
 * @param targets GPUs that something is built for, in order
 * @param notes what could not be looked at, by path
 */
public record Bill(
    List<String> roots, int files, List<Use> uses, List<Target> targets, List<Note> notes) {
  public Bill {
    roots = List.copyOf(roots);
    uses = List.copyOf(uses);
    targets = List.copyOf(targets);
    notes = List.copyOf(notes);
  }

  /**
   * A component that the tree uses.
   *
   * @param support what a port does with this use: a component whose calls are ported is ported
   *     partly where names are used that have no counterpart
   * @param versions as written
   * @param evidence by kind, path and line
   * @param names the names in use, with their counterparts; empty ones have none
   */
  public record Use(
      Component component,
      Support support,
      SortedSet<String> versions,
      List<Evidence> evidence,
      SortedMap<String, Name> names) {
    /** The names in use that have no counterpart. */
    public List<String> without() {
      return names.values().stream().filter(n -> n.hip().isEmpty()).map(Name::cuda).toList();
    }
  }

  /**
   * A name in use.
   *
   * @param hip its counterpart; empty if it has none
   * @param count how often it occurs in the tree
   */
  public record Name(String cuda, String hip, int count) {}

  /**
   * A GPU that something is built for.
   *
   * @param name {@code sm_80}, {@code compute_90}
   * @param how cubin, ptx, lto-ir, flag, condition
   * @param evidence where it occurs
   */
  public record Target(String name, String how, Evidence evidence) {
    static final Comparator<Target> ORDER =
        Comparator.comparingInt(Target::number)
            .thenComparing(Target::name)
            .thenComparing(Target::how)
            .thenComparing(t -> t.evidence.path())
            .thenComparing(t -> t.evidence.line());

    private int number() {
      String digits = name.replaceAll("\\D", "");
      return digits.isEmpty() || digits.length() > 6 ? 0 : Integer.parseInt(digits);
    }
  }

  /** Something that could not be looked at. */
  public record Note(String path, String message) {}

  /** True if a component has this state, or one that leaves more to people. */
  public boolean has(Support from) {
    return uses.stream().anyMatch(u -> u.support().compareTo(from) >= 0);
  }
}
