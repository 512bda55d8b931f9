package dev.rocport.buildsystem;

import dev.rocport.buildsystem.autotools.Autotools;
import dev.rocport.buildsystem.bazel.BazelBuild;
import dev.rocport.buildsystem.cmake.CMakeLists;
import dev.rocport.buildsystem.make.Makefiles;
import dev.rocport.buildsystem.meson.MesonBuild;
import dev.rocport.buildsystem.other.OtherBuilds;
import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.buildsystem.shell.BuildScripts;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All build systems whose files are ported, and those that are only looked at. */
public final class BuildFiles {
  /** All there are. Where several serve a file, what the first one makes of it counts. */
  public static final List<BuildSystem> SYSTEMS =
      List.of(
          Autotools.SYSTEM,
          CMakeLists.SYSTEM,
          Makefiles.SYSTEM,
          BuildScripts.SYSTEM,
          MesonBuild.SYSTEM,
          BazelBuild.SYSTEM,
          OtherBuilds.SYSTEM);

  private BuildFiles() {}

  /** What becomes of a tree's build files. */
  public static BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    BuildPort all = BuildPort.NONE;
    for (BuildSystem s : SYSTEMS) {
      all = all.and(port(s, catalog, options, files));
    }
    return all;
  }

  /** A failure of one system is a finding in one of its files; the port goes on without it. */
  static BuildPort port(
      BuildSystem system, RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    try {
      return system.port(catalog, options, files);
    } catch (StackOverflowError e) {
      String why = "one of them is nested too deeply";
      return failed(system, catalog, options, files, "FILE-TOO-DEEP", why);
    } catch (RuntimeException e) {
      StackTraceElement[] at = e.getStackTrace();
      String where = at.length == 0 ? "" : " at " + at[0];
      String why = "a rule failed: " + e + where;
      return failed(system, catalog, options, files, "FILE-INTERNAL", why);
    }
  }

  /** All files stay as they are; the first one has a finding that says why. */
  private static BuildPort failed(
      BuildSystem system,
      RuleCatalog catalog,
      PortOptions options,
      ProjectFiles files,
      String rule,
      String why) {
    SortedMap<String, Changes> told = new TreeMap<>();
    for (String path : files.paths()) {
      SourceFile file = system.serves(path) && !files.isSource(path) ? files.read(path) : null;
      if (file != null && file.encoding().isText()) {
        Changes changes = new Changes(file, catalog, options.filter());
        String message = "no file of this build system was ported: " + why;
        changes.finding(rule, Disposition.UNPORTED, 0, 0, message);
        told.put(path, changes);
        break;
      }
    }
    return new BuildPort(told, new TreeMap<>(), new TreeMap<>());
  }

  /** True for the files of some build system. */
  public static boolean serves(String path) {
    return SYSTEMS.stream().anyMatch(s -> s.serves(path));
  }

  /**
   * What becomes of a single file, as a project of its own.
   *
   * @param file one that {@link #serves} is true for
   */
  public static Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return SYSTEMS.stream()
        .filter(s -> s.serves(file.path()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not a build file: " + file.path()))
        .portSnippet(catalog, options, file);
  }

  /** The gates of a file in a single-source port; empty for files that have none. */
  public static Optional<BuildGate> gate(String path) {
    return SYSTEMS.stream()
        .flatMap(s -> s.gates().stream())
        .filter(g -> g.serves(path))
        .findFirst();
  }

  /**
   * The gates of a ported file: by its path, or, for a makefile that has its name from those that
   * include it, by what it holds.
   */
  public static Optional<BuildGate> gate(SourceFile ported) {
    return gate(ported.path())
        .or(
            () ->
                SYSTEMS.stream()
                    .flatMap(s -> s.gates().stream())
                    .filter(g -> g.count(ported) > 0 && g.leak(ported).isEmpty())
                    .findFirst());
  }
}
