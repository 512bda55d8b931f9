package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.meson.MesonFacts.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Splits lists of sources into CUDA sources and others. */
final class SourceSplit {
  private final MesonFacts facts;
  private final CallDraft draft;
  private final List<String> hip = new ArrayList<>();
  private final List<String> headers = new ArrayList<>();
  private boolean failed;

  SourceSplit(MesonFacts facts, CallDraft draft) {
    this.facts = facts;
    this.draft = draft;
  }

  List<String> hip() {
    return hip;
  }

  List<String> headers() {
    return headers;
  }

  /** Returns whether the sources of a term are not known; that is reported. */
  boolean failed() {
    return failed;
  }

  /** Returns true if an item has only HIP sources. */
  boolean item(Item item) {
    if (MesonFacts.isText(item)) {
      Item whole = new Item(item.start(), item.end(), "", item.parts());
      return one(whole, facts.sources().guess(item.parts()));
    }
    List<Item> terms = item.terms();
    if (terms.size() == 1) {
      return term(terms.getFirst());
    }
    boolean all = terms.stream().allMatch(t -> facts.sources().of(t) == Sources.ALL);
    if (all) {
      hip.add(draft.render(item.valueStart(), item.end()));
      return true;
    }
    terms(item.parts());
    return false;
  }

  /** Replaces HIP terms with empty lists. */
  void terms(List<Part> parts) {
    for (Item t : Item.terms(parts)) {
      if (term(t)) {
        draft.replaceAll(t.start(), t.end(), "[]", MesonBuild.SOURCE);
      }
    }
  }

  /** Returns the HIP sources as a list. */
  String list() {
    boolean one = hip.size() == 1 && hip.getFirst().matches("(?s)(files\\(|\\[).*");
    return one ? hip.getFirst() : "[" + String.join(", ", hip) + "]";
  }

  private boolean one(Item item, Sources sources) {
    if (sources == Sources.ALL) {
      hip.add(draft.render(item.valueStart(), item.end()));
      return true;
    }
    if (sources != Sources.NONE) {
      fail(item);
    }
    return false;
  }

  private void fail(Item item) {
    failed = true;
    draft.problem(
        item.start(),
        item.end(),
        "these sources are not known before Meson runs; list the CUDA sources separately");
  }

  private boolean term(Item t) {
    Sources sources = facts.sources().of(t);
    if (sources == Sources.NONE) {
      if (!t.name().isEmpty() && facts.sources().isHeader(t.name())) {
        headers.add(t.name());
      }
      return false;
    }
    if (sources == Sources.ALL) {
      return one(t, sources);
    }
    if (sources == Sources.SOME && !t.name().isEmpty()) {
      hip.add(t.name() + "_hip");
      return false;
    }
    List<Call> calls = Call.in(t.parts());
    if (sources == Sources.SOME
        && t.parts().getFirst() instanceof Group g
        && t.parts().size() == 1) {
      group(g);
      return false;
    }
    if (sources == Sources.SOME
        && !calls.isEmpty()
        && calls.getFirst().is("files")
        && calls.getFirst().end() == t.end()) {
      List<String> outer = new ArrayList<>(hip);
      hip.clear();
      group(calls.getFirst().arguments());
      String files = "files(" + String.join(", ", hip) + ")";
      hip.clear();
      hip.addAll(outer);
      hip.add(files);
      return false;
    }
    fail(t);
    return false;
  }

  private void group(Group g) {
    SortedSet<Integer> deleted = new TreeSet<>();
    for (int i = 0; i < g.items().size(); i++) {
      if (item(g.items().get(i))) {
        deleted.add(i);
      }
    }
    draft.delete(g, deleted, MesonBuild.SOURCE);
  }
}
