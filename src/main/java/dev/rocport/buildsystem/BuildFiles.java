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

/** The build systems whose files are ported, and those whose files are only checked. */
public final class BuildFiles {
  /** All build systems. If several serve a file, the first one decides. */
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

  /** Ports the build files of a tree. */
  public static BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    BuildPort all = BuildPort.NONE;
    for (BuildSystem s : SYSTEMS) {
      all = all.and(port(s, catalog, options, files));
    }
    return all;
  }

  /** Ports with one system. A failure becomes a finding in one of its files; the port continues. */
  static BuildPort port(
      BuildSystem system, RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    try {
      return system.port(catalog, options, files);
    } catch (StackOverflowError e) {
      String why = "one file is nested too deeply";
      return failed(system, catalog, options, files, "FILE-TOO-DEEP", why);
    } catch (RuntimeException e) {
      StackTraceElement[] at = e.getStackTrace();
      String where = at.length == 0 ? "" : " at " + at[0];
      String why = "a rule failed: " + e + where;
      return failed(system, catalog, options, files, "FILE-INTERNAL", why);
    }
  }

  /** Leaves all files unchanged and reports the reason in the first one. */
  private static BuildPort failed(
      BuildSystem system,
      RuleCatalog catalog,
      PortOptions options,
      ProjectFiles files,
      String rule,
      String why) {
    SortedMap<String, Changes> reported = new TreeMap<>();
    for (String path : files.paths()) {
      SourceFile file = system.serves(path) && !files.isSource(path) ? files.read(path) : null;
      if (file != null && file.encoding().isText()) {
        Changes changes = new Changes(file, catalog, options.filter());
        String message = "rocport did not port any file of this build system: " + why;
        changes.finding(rule, Disposition.UNPORTED, 0, 0, message);
        reported.put(path, changes);
        break;
      }
    }
    return new BuildPort(reported, new TreeMap<>(), new TreeMap<>());
  }

  /** Returns true for files that any build system serves. */
  public static boolean serves(String path) {
    return SYSTEMS.stream().anyMatch(s -> s.serves(path));
  }

  /**
   * Ports a single file as a project of its own.
   *
   * @param file a file for which {@link #serves} returns true
   */
  public static Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return SYSTEMS.stream()
        .filter(s -> s.serves(file.path()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not a build file: " + file.path()))
        .portSnippet(catalog, options, file);
  }

  /** Returns the gate form of a file in a single-source port; empty if its type has none. */
  public static Optional<BuildGate> gate(String path) {
    return SYSTEMS.stream()
        .flatMap(s -> s.gates().stream())
        .filter(g -> g.serves(path))
        .findFirst();
  }

  /**
   * Returns the gate form of a ported file: by its path, or by its content for a makefile with an
   * unusual name that others include.
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
