package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Single-source ports of Meson builds. {@code project()} must come first in a Meson file and looks
 * for nvcc, so a condition in the file is not possible. A folder {@code rocm} gets separate Meson
 * files that name the sources in their original place; the original files are unchanged. {@code
 * meson setup build rocm} configures the ROCm build.
 */
final class MesonTwins {
  private final MesonBuild build;
  private final ProjectFiles files;
  private final Map<String, List<MesonFile>> projects;
  private final SortedMap<String, MesonFacts> facts;

  MesonTwins(
      MesonBuild build,
      ProjectFiles files,
      Map<String, List<MesonFile>> projects,
      SortedMap<String, MesonFacts> facts) {
    this.build = build;
    this.files = files;
    this.projects = projects;
    this.facts = facts;
  }

  void port() {
    List<String> tops = new ArrayList<>();
    for (String root : projects.keySet()) {
      if (tops.stream().noneMatch(root::startsWith)) {
        tops.add(root);
      }
    }
    for (String top : tops) {
      boolean any = facts.keySet().stream().anyMatch(r -> r.startsWith(top));
      String folder = folder(top);
      if (any && !files.paths().contains(folder + MesonBuild.OWN + MesonBuild.FILE)) {
        port(top, folder);
      }
    }
  }

  /** Returns the folder for twins: one that is not in the tree, or that a previous port added. */
  private String folder(String top) {
    for (String name : List.of("rocm/", "meson-rocm/")) {
      String at = top + name;
      boolean taken = files.paths().stream().anyMatch(p -> p.startsWith(at));
      if (!taken || files.paths().contains(at + MesonBuild.OWN + MesonBuild.FILE)) {
        return at;
      }
    }
    return top + "rocport-meson/";
  }

  private void port(String top, String twins) {
    projects.forEach(
        (root, project) -> {
          if (!root.startsWith(top)) {
            return;
          }
          String at = twins + root.substring(top.length());
          for (MesonFile f : project) {
            twin(f, root, f.folder().replaceFirst("^" + java.util.regex.Pattern.quote(top), twins));
          }
          MesonFacts of = facts.get(root);
          if (of != null) {
            MesonOptions.twins(build, files, root, at);
            build.add(at, top, of);
          }
        });
    for (String path : files.paths()) {
      if (path.startsWith(top) && path.endsWith(".wrap")) {
        SourceFile wrap = build.text(path);
        if (wrap != null) {
          build.added(twins + path.substring(top.length()), text(build.fresh(wrap)));
        }
      }
    }
  }

  private void twin(MesonFile f, String root, String at) {
    Changes ported = build.fresh(f.source());
    CallDraft draft = new CallDraft(f.text(), ported, MesonBuild.UNKNOWN);
    MesonPaths paths = new MesonPaths(f, draft, files, at, root);
    paths.port();
    MesonFacts of = facts.get(root);
    if (of != null) {
      new MesonPort(f, of, draft, paths.here()).port();
    }
    draft.finish();
    Changes reported = build.changes(f.source());
    ported.findings().forEach(reported::adopt);
    f.project()
        .ifPresent(
            c ->
                reported.finding(
                    MesonBuild.TWIN,
                    Disposition.PORTED,
                    c.start(),
                    c.end(),
                    "to build for ROCm, run meson setup in " + at));
    build.added(at + MesonBuild.FILE, text(ported));
  }

  static String text(Changes changes) {
    byte[] bytes = changes.edits().apply(changes.file().bytes());
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
