package dev.rocport.buildsystem;

import dev.rocport.buildsystem.autotools.Autotools;
import dev.rocport.buildsystem.bazel.BazelBuild;
import dev.rocport.buildsystem.cmake.CMakeLists;
import dev.rocport.buildsystem.make.Makefiles;
import dev.rocport.buildsystem.meson.MesonBuild;
import dev.rocport.buildsystem.other.OtherBuilds;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.buildsystem.shell.BuildScripts;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;

/** All build systems whose files are ported, and those that are only looked at. */
public final class BuildFiles {
  private BuildFiles() {}

  /** What becomes of a tree's build files. */
  public static BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    List<BuildSystem> systems =
        List.of(
            new BuildSystem(Autotools::serves, Autotools::port),
            new BuildSystem(CMakeLists::serves, CMakeLists::port),
            new BuildSystem(Makefiles::serves, Makefiles::port),
            new BuildSystem(BuildScripts::serves, BuildScripts::port),
            new BuildSystem(MesonBuild::serves, MesonBuild::port),
            new BuildSystem(BazelBuild::serves, BazelBuild::port),
            new BuildSystem(OtherBuilds::serves, OtherBuilds::port));
    BuildPort all = BuildPort.NONE;
    for (BuildSystem s : systems) {
      all = all.and(s.port(catalog, options, files));
    }
    return all;
  }

  /** True for the files of some build system. */
  public static boolean serves(String path) {
    return CMakeLists.serves(path)
        || Makefiles.serves(path)
        || BuildScripts.serves(path)
        || MesonBuild.serves(path)
        || BazelBuild.serves(path)
        || Autotools.serves(path)
        || OtherBuilds.serves(path);
  }

  /** What becomes of a single file, as a project of its own. */
  public static Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    String path = file.path();
    if (BazelBuild.serves(path)) {
      return BazelBuild.portSnippet(catalog, options, file);
    }
    if (MesonBuild.serves(path)) {
      return MesonBuild.portSnippet(catalog, options, file);
    }
    if (CMakeLists.serves(path)) {
      return CMakeLists.portSnippet(catalog, options, file);
    }
    if (Makefiles.serves(path)) {
      return Makefiles.portSnippet(catalog, options, file);
    }
    if (BuildScripts.serves(path)) {
      return BuildScripts.portSnippet(catalog, options, file);
    }
    return Autotools.serves(path)
        ? Autotools.portSnippet(catalog, options, file)
        : OtherBuilds.portSnippet(catalog, options, file);
  }
}
