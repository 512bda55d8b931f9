package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.CopyFolders;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import java.util.List;
import java.util.Optional;

/** Leaves out the include folders of copies of NVIDIA libraries in one {@code meson.build}. */
final class MesonCopies {
  private static final String INCLUDES = "include_directories";

  private final MesonFile file;
  private final MesonFacts facts;
  private final CallDraft draft;
  private final CopyFolders folders;

  MesonCopies(MesonFile file, MesonFacts facts, CallDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
    this.folders = new CopyFolders(facts.copies(), facts.isThrustOnHost(), draft, MesonBuild.FLAG);
  }

  void port() {
    if (folders.isEmpty()) {
      return;
    }
    for (Statement s : file.statements()) {
      folders.flags(s.parts(), file.folder());
      for (Call c : Call.in(s.parts())) {
        if (c.is(INCLUDES)) {
          Group g = c.arguments();
          folders.folders(g, g.positional(), file.folder(), this::folder);
        } else {
          c.arguments().keyword(INCLUDES).ifPresent(this::keyword);
        }
      }
    }
  }

  /** Ports {@code include_directories: 'folder'}, or a list of such strings. */
  private void keyword(Item includes) {
    for (Item term : includes.terms()) {
      Part first = term.parts().getFirst();
      if (first instanceof Group g && g.open() == '[') {
        folders.folders(g, g.items(), file.folder(), this::folder);
      } else {
        folder(term)
            .filter(f -> folders.isLeftOut(term.start(), term.end(), f, file.folder()))
            .ifPresent(f -> draft.replace(term.start(), term.end(), "[]", MesonBuild.FLAG));
      }
    }
  }

  /** Returns the folder that strings, variables and {@code /} between them name. */
  private Optional<String> folder(Item item) {
    StringBuilder path = new StringBuilder();
    List<Part> parts = item.parts();
    for (int i = 0; i < parts.size(); i++) {
      if (i % 2 == 1) {
        if (!parts.get(i).is("/")) {
          return Optional.empty();
        }
        path.append('/');
        continue;
      }
      Optional<String> word =
          switch (parts.get(i)) {
            case Token t when t.isString() && !t.isFormatted() -> Optional.of(t.value());
            case Token t when t.isName() -> facts.string(t.text());
            default -> Optional.empty();
          };
      if (word.isEmpty()) {
        return Optional.empty();
      }
      path.append(word.get());
    }
    return Optional.of(path.toString());
  }
}
