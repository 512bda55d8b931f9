package dev.rocport.buildsystem.bazel;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.CopyFolders;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Leaves out the include folders of copies of NVIDIA libraries in one Starlark file: flags, the
 * attributes {@code includes} and {@code strip_include_prefix}, and dependencies on packages in
 * copies.
 */
final class BazelCopies {
  private final BazelFile file;
  private final BazelFacts facts;
  private final CallDraft draft;
  private final CopyFolders folders;
  private final String root;
  private final String here;

  /**
   * @param root the folder of the workspace, with a slash at the end
   */
  BazelCopies(BazelFile file, BazelFacts facts, CallDraft draft, String root) {
    String path = file.source().path();
    this.file = file;
    this.facts = facts;
    this.draft = draft;
    this.folders = new CopyFolders(facts.copies(), facts.isThrustOnHost(), draft, BazelBuild.FLAG);
    this.root = root;
    this.here = path.substring(0, path.lastIndexOf('/') + 1);
  }

  void port() {
    if (folders.isEmpty()) {
      return;
    }
    for (Statement s : file.statements()) {
      folders.flags(s.parts(), root);
      for (Call c : Call.in(s.parts())) {
        c.arguments().keyword("includes").ifPresent(i -> lists(i.parts(), i2 -> within(i2, here)));
        c.arguments().keyword("deps").ifPresent(i -> lists(i.parts(), this::copied));
        c.arguments().keyword("strip_include_prefix").ifPresent(i -> prefix(c.arguments(), i));
      }
    }
  }

  /** Leaves out items of the lists of an expression. */
  private void lists(List<Part> parts, Function<Item, Optional<String>> value) {
    for (Part p : parts) {
      if (p instanceof Group g) {
        if (g.open() == '[') {
          folders.folders(g, g.items(), "", value);
        }
        g.items().forEach(i -> lists(i.parts(), value));
      }
    }
  }

  private static Optional<String> within(Item item, String folder) {
    return CopyFolders.value(item).map(v -> folder + v);
  }

  /** Returns the folder of the package that a label names, if the package belongs to a copy. */
  private Optional<String> copied(Item label) {
    return CopyFolders.value(label)
        .filter(v -> v.startsWith("//"))
        .map(v -> root + v.substring(2).replaceFirst(":.*", ""))
        .filter(p -> facts.copies().has(p + "/BUILD"));
  }

  private void prefix(Group arguments, Item item) {
    Optional<String> folder =
        CopyFolders.value(item).map(v -> v.startsWith("/") ? root + v.substring(1) : here + v);
    if (folder.isPresent() && folders.isLeftOut(item.start(), item.end(), folder.get(), "")) {
      SortedSet<Integer> one = new TreeSet<>();
      one.add(arguments.items().indexOf(item));
      draft.delete(arguments, one, BazelBuild.FLAG);
    }
  }

  /**
   * Leaves out flags in a shell command.
   *
   * @param spans the places of the words
   */
  void shell(List<int[]> spans, List<String> words) {
    for (int i = 0; i < words.size() && !folders.isEmpty(); i++) {
      String word = words.get(i);
      boolean apart = word.matches("-I|-isystem");
      boolean flag = word.matches("(?:-I|-isystem).+") || (apart && i + 1 < words.size());
      if (flag) {
        int last = apart ? i + 1 : i;
        String folder = apart ? words.get(last) : word.replaceFirst("^(?:-I|-isystem)", "");
        int start = spans.get(i)[0];
        int end = spans.get(last)[1];
        if (folders.isLeftOut(start, end, folder, root)) {
          int to = last + 1 < spans.size() ? spans.get(last + 1)[0] : end;
          draft.replace(start, to, "", BazelBuild.FLAG);
        }
        i = last;
      }
    }
  }
}
