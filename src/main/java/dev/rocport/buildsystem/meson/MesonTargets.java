package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.FlagList;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.meson.MesonFacts.Sources;
import dev.rocport.buildsystem.meson.MesonNames.Action;
import dev.rocport.buildsystem.meson.MesonNames.Entry;
import dev.rocport.buildsystem.meson.MesonNames.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Ports targets with CUDA sources. The CUDA sources become a static library that is compiled as
 * HIP, and the target links the objects of that library.
 */
final class MesonTargets {
  /** Keywords that determine how the sources of a target are compiled. */
  private static final Set<String> COMPILING =
      Set.of("implicit_include_directories", "gnu_symbol_visibility", "pic", "native");

  private final MesonFile file;
  private final MesonFacts facts;
  private final CallDraft draft;

  /**
   * The source folder, which Meson does not search by itself for a twin; empty if there is no twin.
   */
  private final String here;

  /** Variables of the added libraries. */
  private final Set<String> libraries = new HashSet<>();

  /** Keywords to add to the current target. */
  private final List<String> more = new ArrayList<>();

  MesonTargets(MesonFile file, MesonFacts facts, CallDraft draft, String here) {
    this.here = here;
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  void port(Statement s) {
    boolean target = false;
    for (Call c : Call.in(s.parts())) {
      if (!c.method() && MesonFacts.TARGETS.contains(c.name().text())) {
        target = true;
        if (!draft.isReplaced(c.arguments().start())) { // an enclosing call was replaced
          target(s, c);
        }
      }
    }
    if (!target && !s.assigned().isEmpty()) {
      variable(s);
    }
  }

  /** Splits a variable with CUDA and other sources in two. */
  private void variable(Statement s) {
    Item name = new Item(s.start(), s.end(), "", List.of(s.parts().getFirst()));
    if (facts.sources().of(name) != Sources.SOME || !facts.isOfTargets(s.assigned())) {
      return;
    }
    boolean all =
        s.adds()
            && Item.terms(s.value()).stream().allMatch(t -> facts.sources().of(t) == Sources.ALL);
    if (all) {
      Part variable = s.parts().getFirst();
      draft.replace(variable.start(), variable.end(), s.assigned() + "_hip", MesonBuild.SOURCE);
      return;
    }
    SourceSplit split = new SourceSplit(facts, draft);
    split.terms(s.value());
    if (split.failed()) {
      return;
    }
    String nl = file.source().newline() + file.indentation(s);
    boolean adds = s.adds();
    if (!adds || !split.hip().isEmpty()) {
      draft.insert(
          s.end(),
          "%s%s_hip %s %s".formatted(nl, s.assigned(), adds ? "+=" : "=", split.list()),
          MesonBuild.SOURCE);
    }
  }

  private void target(Statement s, Call c) {
    Group g = c.arguments();
    SortedSet<Integer> deleted = new TreeSet<>();
    for (int i = 0; i < g.items().size(); i++) {
      Item item = g.items().get(i);
      Optional<Entry> e = MesonNames.of(Kind.KEYWORD, item.keyword());
      boolean own = !item.keyword().equals("link_language") || MesonFacts.is(item, "cuda");
      if (e.isPresent() && own) {
        if (e.get().action() == Action.REFUSE) {
          draft.problem(item.start(), item.end(), item.keyword() + ": " + e.get().reason());
        }
        deleted.add(i);
      }
    }
    g.keyword("cuda_args")
        .ifPresent(i -> new FlagList(file.text(), draft, MesonBuild.FLAGS).port(i.parts()));
    SourceSplit split = new SourceSplit(facts, draft);
    List<Item> positional = g.positional();
    for (int i = 1; i < positional.size(); i++) {
      if (split.item(positional.get(i))) {
        deleted.add(g.items().indexOf(positional.get(i)));
      }
    }
    Optional<Item> sources = g.keyword("sources");
    if (sources.isPresent() && split.item(sources.get())) {
      deleted.add(g.items().indexOf(sources.get()));
    }
    if (split.failed()) {
      return;
    }
    if (!split.hip().isEmpty()) {
      Optional<Item> more = g.keyword("kwargs");
      if (more.isPresent()) {
        draft.problem(
            more.get().start(),
            more.get().end(),
            "a target with CUDA sources takes keywords from a dictionary; write the keywords in the"
                + " call");
        return;
      }
      String name = variableOf(positional.getFirst());
      before(s, library(c, name, split));
      keyword(g, "objects", name + ".extract_all_objects(recursive: true)");
      keyword(g, "dependencies", isRelocatable(g) ? "hip_dep, hip_rdc" : "hip_dep");
    }
    if (isHere(g)) {
      keyword(g, "include_directories", "'" + here + "'");
    }
    overrides(g, deleted);
    draft.delete(g, deleted, MesonBuild.SOURCE);
    finish(g, deleted);
  }

  private boolean isHere(Group g) {
    return !here.isEmpty()
        && g.keyword("implicit_include_directories")
            .filter(i -> i.parts().getFirst().isName("false"))
            .isEmpty();
  }

  private void before(Statement s, String text) {
    String indentation = file.indentation(s);
    String nl = file.source().newline();
    draft.insert(
        s.start(), text.replace("\n", nl + indentation) + nl + indentation, MesonBuild.SOURCE);
  }

  private String variableOf(Item name) {
    String text = name.string().map(Token::value).orElse("target");
    String variable = "hip_" + text.replaceAll("\\W", "_");
    int n = 1;
    while (!libraries.add(variable + (n > 1 ? "_" + n : ""))) {
      n++;
    }
    return variable + (n > 1 ? "_" + n : "");
  }

  /** Returns the call of the library with the HIP sources. */
  private String library(Call c, String variable, SourceSplit split) {
    Group g = c.arguments();
    Item name = g.positional().getFirst();
    String text = draft.render(name.start(), name.end());
    String called =
        name.string().isPresent()
            ? MesonBuild.quoted(
                name.string().get().value() + variable.replaceFirst(".*?(_\\d+)?$", "$1") + "_hip")
            : "(" + text + ") + '_hip'";
    StringBuilder b = new StringBuilder(variable + " = static_library(" + called);
    String in = ",\n  ";
    b.append(in).append("hip_source.process(").append(String.join(", ", split.hip())).append(')');
    split.headers().forEach(h -> b.append(in).append(h));
    String args = g.keyword("cuda_args").map(i -> draft.render(i.valueStart(), i.end())).orElse("");
    boolean none = args.isBlank() || args.replaceAll("\\s", "").equals("[]");
    b.append(in).append("cpp_args: hip_args");
    if (!none) {
      b.append(" + ")
          .append(
              g.keyword("cuda_args").get().terms().size() > 1 || args.contains("?")
                  ? "(" + args + ")"
                  : args);
    }
    Optional<Item> includes = g.keyword("include_directories");
    if (isHere(g)) {
      b.append(in)
          .append("include_directories: ")
          .append(with(List.of("'" + here + "'"), includes));
    } else if (includes.isPresent()) {
      b.append(in).append(draft.render(includes.get().start(), includes.get().end()));
    }
    for (Item i : g.items()) {
      if (COMPILING.contains(i.keyword())) {
        b.append(in).append(draft.render(i.start(), i.end()));
      }
    }
    Optional<Item> dependencies = g.keyword("dependencies");
    b.append(in).append("dependencies: ").append(with(List.of("hip_dep"), dependencies));
    List<String> overrides = standard(g);
    if (!overrides.isEmpty()) {
      b.append(in).append("override_options: [").append(String.join(", ", overrides)).append(']');
    }
    return b.append(in).append("build_by_default: false)").toString();
  }

  /** Returns a list of these and the previous value of a keyword. */
  private String with(List<String> first, Optional<Item> keyword) {
    List<String> all = new ArrayList<>(first);
    if (keyword.isPresent()) {
      List<Part> parts = keyword.get().parts();
      boolean list = parts.size() == 1 && parts.getFirst() instanceof Group g && g.open() == '[';
      String text = draft.render(keyword.get().valueStart(), keyword.get().end());
      String inner = list ? text.substring(1, text.length() - 1).strip() : text;
      if (!inner.isEmpty()) {
        all.add(inner);
      }
    }
    return all.size() == 1 ? all.getFirst() : "[" + String.join(", ", all) + "]";
  }

  /** Returns the Meson options for the HIP sources. */
  private List<String> standard(Group g) {
    List<String> options = new ArrayList<>();
    String own = "";
    Optional<Item> overrides = g.keyword("override_options");
    if (overrides.isPresent()) {
      for (Token t : MesonFacts.strings(overrides.get().parts())) {
        if (t.value().startsWith("cuda_std=")) {
          own = t.value().substring("cuda_std=".length());
        } else if (!t.value().startsWith("cpp_std=")) {
          options.add(file.text(t.start(), t.end()));
        }
      }
    }
    String standard = own.isEmpty() ? facts.standard("cuda").orElse("") : own;
    boolean differs = facts.standard("cpp").isPresent() && standard.isEmpty();
    if (differs) {
      standard = "c++17"; // the default of nvcc
    }
    boolean explicit =
        own.isEmpty()
            && (facts.standard("cpp").orElse("").equals(standard)
                || (!facts.hasCpp() && facts.standard("cuda").isPresent()));
    if (!standard.isEmpty() && !explicit) {
      options.addFirst("'cpp_std=" + standard + "'");
    }
    return options;
  }

  /** Removes CUDA options from the target itself. */
  private void overrides(Group g, Set<Integer> all) {
    Optional<Item> overrides = g.keyword("override_options");
    if (overrides.isEmpty()) {
      return;
    }
    for (Part p : overrides.get().parts()) {
      if (p instanceof Group list) {
        SortedSet<Integer> deleted = new TreeSet<>();
        for (int i = 0; i < list.items().size(); i++) {
          if (list.items().get(i).string().filter(t -> t.value().startsWith("cuda_")).isPresent()) {
            deleted.add(i);
          }
        }
        if (deleted.size() == list.items().size()) {
          all.add(g.items().indexOf(overrides.get()));
        } else {
          draft.delete(list, deleted, MesonBuild.LANGUAGE);
        }
      }
    }
  }

  private boolean isRelocatable(Group g) {
    return facts.isRelocatable()
        || g.keyword("cuda_args").filter(i -> facts.isRelocatable(i.parts())).isPresent();
  }

  /** Adds to the list of a keyword, or queues a new keyword for {@link #finish}. */
  private void keyword(Group g, String name, String text) {
    Optional<Item> there = g.keyword(name);
    if (there.isPresent()) {
      String all = with(List.of(text), there);
      draft.replaceAll(there.get().valueStart(), there.get().end(), all, MesonBuild.SOURCE);
    } else {
      more.add(name + ": " + (text.contains(", ") ? "[" + text + "]" : text));
    }
  }

  /** Writes the new keywords of the target after the last item that is kept. */
  private void finish(Group g, Set<Integer> deleted) {
    int at = g.start() + 1;
    String separator = ", ";
    for (int i = 0; i < g.items().size(); i++) {
      if (!deleted.contains(i)) {
        Item item = g.items().get(i);
        at = item.end();
        int line = file.source().lineStart(file.source().line(item.start()));
        String before = file.text(line, item.start());
        separator = before.isBlank() ? "," + file.source().newline() + before : separator;
      }
    }
    for (String keyword : more) {
      draft.insert(at, separator + keyword, MesonBuild.SOURCE);
    }
    more.clear();
  }
}
