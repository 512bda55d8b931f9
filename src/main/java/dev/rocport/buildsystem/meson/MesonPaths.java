package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.io.PathText;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rewrites the paths in a Meson file that is read from another folder. */
final class MesonPaths {
  private static final Set<String> NO_PATHS =
      Set.of(
          "subdir",
          "project",
          "dependency",
          "get_option",
          "import",
          "subproject",
          "option",
          "message");
  private static final Set<String> KEYWORDS =
      Set.of(
          "",
          "sources",
          "input",
          "command",
          "objects",
          "extra_files",
          "depend_files",
          "link_depends",
          "vs_module_defs",
          "include_directories",
          "args");

  private final MesonFile file;
  private final CallDraft draft;
  private final ProjectFiles files;
  private final String here;
  private final String toRoot;

  /** Folders of the tree that have twins. */
  private final Set<String> folders = new HashSet<>();

  /**
   * @param at folder of the twin, with a slash at the end
   * @param root folder of the project
   */
  MesonPaths(MesonFile file, CallDraft draft, ProjectFiles files, String at, String root) {
    this.file = file;
    this.draft = draft;
    this.files = files;
    this.here = relative(at, file.folder());
    String below = file.folder().substring(root.length());
    this.toRoot = relative(at.substring(0, at.length() - below.length()), root);
    for (String path : files.paths()) {
      if (path.endsWith("/" + MesonBuild.FILE)) {
        folders.add(path.substring(0, path.length() - MesonBuild.FILE.length()));
      }
    }
  }

  private static String relative(String from, String to) {
    return Path.of("/" + from).relativize(Path.of("/" + to)).toString();
  }

  /** Returns the relative path from the folder of the twin to the folder of the original. */
  String here() {
    return here;
  }

  void port() {
    for (Statement s : file.statements()) {
      strings(s.parts(), "", "");
      for (Call c : Call.in(s.parts())) {
        String of = file.text(c.start(), c.name().start()).replaceAll("\\s", "");
        String up =
            switch (c.name().text()) {
              case "source_root", "project_source_root", "global_source_root" -> toRoot;
              case "current_source_dir" -> here;
              default -> "";
            };
        if (of.equals("meson.") && !up.isEmpty()) {
          draft.insert(c.start(), "(", MesonBuild.TWIN);
          draft.insert(c.end(), " / '" + up + "')", MesonBuild.TWIN);
        }
      }
    }
  }

  private void strings(List<Part> parts, String function, String keyword) {
    for (int i = 0; i < parts.size(); i++) {
      Part p = parts.get(i);
      if (p instanceof Group g) {
        boolean call = g.open() == '(' && i > 0 && parts.get(i - 1).isName();
        String name = call ? ((Token) parts.get(i - 1)).text() : function;
        for (int k = 0; k < g.items().size(); k++) {
          Item item = g.items().get(k);
          boolean first = call && k == 0 && item.keyword().isEmpty();
          if (first && MesonFacts.TARGETS.contains(name)) {
            continue; // the name of the target
          }
          strings(item.parts(), name, call ? item.keyword() : keyword);
        }
      } else if (p instanceof Token t && t.isString() && parts.size() == 1) {
        string(t, function, keyword);
      } else if (p instanceof Token t
          && t.isString()
          && i + 1 < parts.size()
          && parts.get(i + 1).is("/")
          && (i == 0 || parts.get(i - 1).is("+"))
          && isFolder(file.folder() + t.value())) {
        draft.replace(t.start(), t.end(), MesonBuild.quoted(up(t.value())), MesonBuild.TWIN);
      }
    }
  }

  private void string(Token t, String function, String keyword) {
    String value = t.value();
    if (value.isEmpty()
        || value.startsWith("/")
        || value.startsWith("-")
        || NO_PATHS.contains(function)
        || !KEYWORDS.contains(keyword)) {
      return;
    }
    String path = normal(file.folder() + value);
    boolean includes =
        function.equals("include_directories") || keyword.equals("include_directories");
    if (files.paths().contains(path)) {
      draft.replace(t.start(), t.end(), MesonBuild.quoted(up(value)), MesonBuild.TWIN);
    } else if (includes && (isFolder(path) || path.isEmpty())) {
      String slash = path.isEmpty() ? "" : path + "/";
      boolean both = path.isEmpty() || folders.contains(slash) || slash.equals(file.folder());
      String turned = MesonBuild.quoted(up(value));
      String text = both ? file.text(t.start(), t.end()) + ", " + turned : turned;
      boolean single = keyword.equals("include_directories") && isWhole(t);
      draft.replace(t.start(), t.end(), both && single ? "[" + text + "]" : text, MesonBuild.TWIN);
    } else if (function.equals("install_subdir") && isFolder(path)) {
      draft.replace(t.start(), t.end(), MesonBuild.quoted(up(value)), MesonBuild.TWIN);
    }
  }

  /** Returns whether the string is the whole value of its keyword. */
  private boolean isWhole(Token t) {
    String before = file.text().substring(0, t.start()).stripTrailing();
    return before.endsWith(":");
  }

  private String up(String value) {
    return normal(here + "/" + value);
  }

  private boolean isFolder(String path) {
    String slash = normal(path) + "/";
    return files.paths().stream().anyMatch(p -> p.startsWith(slash));
  }

  private static String normal(String path) {
    return PathText.normalized(Path.of(""), path).map(Path::toString).orElse(path);
  }
}
