package dev.rocport.rules;

import java.util.ArrayList;
import java.util.List;

/**
 * The phases of a port, and the signs in a tree that one is needed: the content of {@code
 * phases.yaml}.
 *
 * @param phases in order of their numbers
 */
public record PhaseTable(List<Phase> phases) {
  static final PhaseTable NONE = new PhaseTable(List.of());

  /**
   * One phase.
   *
   * @param number of the porting guide
   * @param title one or two words
   * @param what is done in it
   * @param follows why it is needed wherever another phase is; empty if it is not
   * @param otherwise why it is not needed where nothing was found
   * @param signs the signs that it is needed
   */
  public record Phase(
      int number, String title, String what, String follows, String otherwise, List<Sign> signs) {
    public Phase {
      signs = List.copyOf(signs);
    }
  }

  /**
   * A sign that a phase is needed.
   *
   * @param says a description, in the plural
   * @param rules ids of rules whose edits and findings count, with {@code *} for any characters
   * @param families the same for files of rules
   * @param about if not empty, only findings count whose message holds this regular expression
   * @param files names of files; without words each counts
   * @param words texts in these files that count where the rules say nothing; whole words, a
   *     beginning where {@code *} ends one
   * @param marks words by which the line of an edit is found; empty: those above
   * @param maybe whether a person should look if the phase is needed
   */
  public record Sign(
      String says,
      List<String> rules,
      List<String> families,
      String about,
      List<String> files,
      List<String> words,
      List<String> marks,
      boolean maybe) {
    public Sign {
      rules = List.copyOf(rules);
      families = List.copyOf(families);
      files = List.copyOf(files);
      words = List.copyOf(words);
      marks = List.copyOf(marks);
    }
  }

  public PhaseTable {
    phases = List.copyOf(phases);
  }

  /** These with the other table's signs added to the phases of the same number. */
  PhaseTable under(PhaseTable over) {
    List<Phase> all = new ArrayList<>();
    for (Phase p : phases) {
      List<Sign> signs = new ArrayList<>(p.signs());
      over.phases().stream()
          .filter(o -> o.number() == p.number())
          .forEach(o -> signs.addAll(o.signs()));
      all.add(new Phase(p.number(), p.title(), p.what(), p.follows(), p.otherwise(), signs));
    }
    over.phases().stream()
        .filter(o -> phases.stream().noneMatch(p -> p.number() == o.number()))
        .forEach(all::add);
    return new PhaseTable(all);
  }
}
