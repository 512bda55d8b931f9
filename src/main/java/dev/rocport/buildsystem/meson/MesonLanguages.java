package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.meson.MesonNames.Action;
import dev.rocport.buildsystem.meson.MesonNames.Entry;
import dev.rocport.buildsystem.meson.MesonNames.Kind;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Ports the languages of a project and the options of each. */
final class MesonLanguages {
  private final MesonFile file;
  private final MesonFacts facts;
  private final CallDraft draft;

  MesonLanguages(MesonFile file, MesonFacts facts, CallDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  void project(Statement s, Call c) {
    List<Item> items = c.arguments().items();
    List<String> languages =
        c.arguments().positional().stream()
            .skip(1)
            .flatMap(i -> MesonFacts.strings(i.parts()).stream())
            .map(Token::value)
            .toList();
    boolean cpp = languages.contains("cpp");
    for (Item item : c.arguments().positional()) {
      boolean list = item.parts().size() == 1 && item.parts().getFirst() instanceof Group;
      Group group = list ? (Group) item.parts().getFirst() : c.arguments();
      if (!list && !MesonFacts.is(item, "cuda")) {
        continue;
      }
      SortedSet<Integer> deleted = new TreeSet<>();
      for (int i = list ? 0 : 1; i < group.items().size(); i++) {
        Item language = group.items().get(i);
        if (language.keyword().isEmpty() && MesonFacts.is(language, "cuda")) {
          if (cpp) {
            deleted.add(i);
          } else {
            draft.replace(language.start(), language.end(), "'cpp'", MesonBuild.LANGUAGE);
          }
        }
      }
      draft.delete(group, deleted, MesonBuild.LANGUAGE);
    }
    if (!cpp && !languages.contains("cuda")) {
      draft.insert(items.getFirst().end(), ", 'cpp'", MesonBuild.LANGUAGE);
    }
    c.arguments().keyword("default_options").ifPresent(this::defaults);
    draft.insert(s.end(), file.source().newline() + "subdir('rocport')", MesonBuild.LANGUAGE);
  }

  /** Ports default options of the language CUDA. */
  private void defaults(Item options) {
    boolean own = facts.hasCpp();
    for (Part p : options.parts()) {
      if (p instanceof Group g) {
        SortedSet<Integer> deleted = new TreeSet<>();
        for (int i = 0; i < g.items().size(); i++) {
          Token t = MesonFacts.strings(g.items().get(i).parts()).stream().findFirst().orElse(null);
          if (t != null && option(t, own)) {
            deleted.add(i);
          }
        }
        draft.delete(g, deleted, MesonBuild.LANGUAGE);
      } else if (p instanceof Token t && t.isString() && option(t, own)) {
        draft.replace(t.start(), t.end(), "[]", MesonBuild.LANGUAGE);
      }
    }
  }

  /** Ports an option; returns true if it is deleted. */
  private boolean option(Token t, boolean own) {
    String text = t.value();
    String name = text.contains("=") ? text.substring(0, text.indexOf('=')) : text;
    Optional<Entry> e = MesonNames.of(Kind.OPTION, name);
    if (e.isEmpty()) {
      return false;
    }
    if (e.get().action() == Action.RENAME && !own) {
      String to = e.get().rocm() + text.substring(name.length());
      draft.replace(t.start(), t.end(), MesonBuild.quoted(to), MesonBuild.LANGUAGE);
      return false;
    }
    if (e.get().action() == Action.FLAGS) {
      draft.problem(
          t.start(),
          t.end(),
          "the default options contain compiler flags; set them with add_project_arguments()");
      return false;
    }
    if (e.get().action() == Action.DROP) {
      draft.note(
          MesonBuild.LANGUAGE, t.start(), t.end(), name + " is left out: " + e.get().reason());
    }
    return true;
  }

  void addLanguages(Statement s, Call c) {
    List<Item> p = c.arguments().positional();
    if (p.stream().noneMatch(i -> MesonFacts.is(i, "cuda"))) {
      return;
    }
    if (p.size() > 1) {
      SortedSet<Integer> deleted = new TreeSet<>();
      List<Item> items = c.arguments().items();
      p.stream().filter(i -> MesonFacts.is(i, "cuda")).forEach(i -> deleted.add(items.indexOf(i)));
      draft.delete(c.arguments(), deleted, MesonBuild.LANGUAGE);
      return;
    }
    boolean statement = s.start() == c.start() && s.end() == c.end();
    draft.replaceAll(
        c.start(),
        c.end(),
        statement ? "assert(hip_dep.found(), 'ROCm was not found')" : "hip_dep.found()",
        MesonBuild.LANGUAGE);
  }

  /** Ports the keyword {@code language} of a call. */
  void language(Call c) {
    Optional<Item> language = c.arguments().keyword("language");
    if (language.isEmpty() || !MesonFacts.languages(c).contains("cuda")) {
      return;
    }
    boolean both = MesonFacts.languages(c).contains("cpp");
    for (Part p : language.get().parts()) {
      if (p instanceof Token t && t.isString()) {
        draft.replace(t.start(), t.end(), "'cpp'", MesonBuild.LANGUAGE);
      } else if (p instanceof Group g) {
        SortedSet<Integer> deleted = new TreeSet<>();
        for (int i = 0; i < g.items().size(); i++) {
          Item item = g.items().get(i);
          if (MesonFacts.is(item, "cuda")) {
            if (both) {
              deleted.add(i);
            } else {
              draft.replace(item.start(), item.end(), "'cpp'", MesonBuild.LANGUAGE);
            }
          }
        }
        draft.delete(g, deleted, MesonBuild.LANGUAGE);
      }
    }
  }
}
