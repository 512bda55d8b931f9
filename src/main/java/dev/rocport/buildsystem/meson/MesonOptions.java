package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.BuiltInText;
import dev.rocport.rules.Changes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Ports option files: adds rocport's options and replaces CUDA folders in defaults. */
final class MesonOptions {
  /** Names of option files. Meson reads the second one first since version 1.1. */
  private static final List<String> NAMES = List.of("meson_options.txt", "meson.options");

  private static final String NONE = "/opt/rocm";

  private MesonOptions() {}

  static boolean serves(String path) {
    return NAMES.contains(path.substring(path.lastIndexOf('/') + 1));
  }

  static void inPlace(MesonBuild build, ProjectFiles files, String root) {
    List<SourceFile> there = files(build, files, root);
    for (SourceFile file : there) {
      port(file, build.changes(file));
    }
    if (there.isEmpty()) {
      build.added(root + NAMES.getFirst(), BuiltInText.read("meson/options.meson"));
    }
  }

  /** Writes the ported option files to another folder. */
  static void twins(MesonBuild build, ProjectFiles files, String root, String at) {
    List<SourceFile> there = files(build, files, root);
    for (SourceFile file : there) {
      Changes changes = build.fresh(file);
      port(file, changes);
      String name = file.path().substring(root.length());
      build.added(at + name, MesonTwins.text(changes));
    }
    if (there.isEmpty()) {
      build.added(at + NAMES.getFirst(), BuiltInText.read("meson/options.meson"));
    }
  }

  private static List<SourceFile> files(MesonBuild build, ProjectFiles files, String root) {
    List<SourceFile> there = new ArrayList<>();
    for (String name : NAMES) {
      SourceFile file = files.paths().contains(root + name) ? build.text(root + name) : null;
      if (file != null) {
        there.add(file);
      }
    }
    return there;
  }

  private static void port(SourceFile file, Changes changes) {
    Optional<MesonFile> parsed = MesonFile.of(file);
    if (parsed.isEmpty()) {
      return;
    }
    CallDraft draft = new CallDraft(parsed.get().text(), changes, MesonBuild.UNKNOWN);
    Set<String> names = new HashSet<>();
    for (Statement s : parsed.get().statements()) {
      for (Call c : Call.in(s.parts())) {
        List<Item> p = c.arguments().positional();
        p.stream().findFirst().flatMap(Item::string).ifPresent(t -> names.add(t.value()));
        for (Token t : MesonFacts.strings(s.parts())) {
          Toolkit.folder(t.value())
              .ifPresent(
                  rocm ->
                      draft.replace(
                          t.start(),
                          t.end(),
                          MesonBuild.quoted(literal(rocm)),
                          MesonBuild.PACKAGE));
        }
      }
    }
    StringBuilder more = new StringBuilder();
    for (String line : BuiltInText.read("meson/options.meson").lines().toList()) {
      if (names.stream().noneMatch(n -> line.startsWith("option('" + n + "'"))) {
        more.append(line).append(file.newline());
      }
    }
    if (!more.isEmpty()) {
      boolean ended = file.length() == 0 || parsed.get().text().endsWith("\n");
      draft.insert(file.length(), (ended ? "" : file.newline()) + more, MesonBuild.ARCH);
    }
    draft.finish();
  }

  /** Returns the default value without an expression, which option files do not allow. */
  private static String literal(String rocm) {
    return rocm.replaceAll("(^|' \\+ )rocm", "$1" + NONE)
        .replace("' + ", "")
        .replace(" / '", "/")
        .replace("'", "");
  }
}
