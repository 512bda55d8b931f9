package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Ports CMake builds: list files, modules, package templates and presets. */
public final class CMakeLists {
  public static final BuildSystem SYSTEM =
      new BuildSystem(
          "cmake",
          CMakeLists::serves,
          CMakeLists::port,
          CMakeLists::portSnippet,
          List.of(CMakeGate.GATE));

  private static final Pattern CUDA = Pattern.compile("(?i)cuda|nvcc");
  private static final Pattern PRESETS = Pattern.compile("CMake(User)?Presets\\.json");

  private final RuleCatalog catalog;
  private final PortOptions options;
  private final SortedMap<String, Changes> changes = new TreeMap<>();
  private final SortedMap<String, BuildPort.Added> added = new TreeMap<>();

  private CMakeLists(RuleCatalog catalog, PortOptions options) {
    this.catalog = catalog;
    this.options = options;
  }

  /** Returns true for files that CMake reads. */
  public static boolean serves(String path) {
    return BuildFileNames.isCMake(path) || isPresets(path);
  }

  private static boolean isPresets(String path) {
    return PRESETS.matcher(path.substring(path.lastIndexOf('/') + 1)).matches();
  }

  /** Ports the CMake files of a tree. */
  public static BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    CMakeLists lists = new CMakeLists(catalog, options);
    lists.port(files);
    return new BuildPort(lists.changes, lists.added, new TreeMap<>());
  }

  /** Ports a single file as a project of its own. */
  public static Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    CMakeLists lists = new CMakeLists(catalog, options);
    lists.port(ProjectFiles.of(file));
    return lists.changes(file);
  }

  private Changes changes(SourceFile file) {
    return changes.computeIfAbsent(file.path(), p -> fresh(file));
  }

  private void port(ProjectFiles files) {
    Map<String, List<CMakeFile>> projects = new TreeMap<>();
    List<String> roots = roots(files.paths());
    for (String path : files.paths()) {
      SourceFile file = serves(path) ? files.read(path) : null;
      if (file == null || !file.encoding().isText()) {
        continue;
      }
      SourceFile text = file.withLineFeeds();
      if (isPresets(path)) {
        if (options.style() == Style.HIP) {
          Presets.port(text, changes(text));
        } else if (CUDA.matcher(text.text(0, text.length())).find()) {
          changes(text)
              .finding(
                  "CMAKE-GATE",
                  Disposition.REVIEW,
                  0,
                  0,
                  "presets have no conditions, so this file is unchanged: configure with"
                      + " -DUSE_ROCM=ON instead of a CUDA preset, or add presets for ROCm");
        }
        continue;
      }
      Optional<CMakeFile> parsed = CMakeFile.of(text);
      if (parsed.isPresent()) {
        String root = roots.stream().filter(path::startsWith).findFirst().orElse("");
        projects.computeIfAbsent(root, r -> new ArrayList<>()).add(parsed.get());
      } else if (CUDA.matcher(text.text(0, text.length())).find()) {
        changes(text)
            .finding(
                ListPort.UNKNOWN,
                Disposition.UNPORTED,
                0,
                0,
                "this file has an unclosed command, or is not in the CMake language; it was not"
                    + " ported");
      }
    }
    projects.values().forEach(this::project);
    changes.values().removeIf(c -> c.edits().isEmpty() && c.findings().isEmpty());
  }

  private void project(Collection<CMakeFile> files) {
    CMakeFacts facts = new CMakeFacts(files);
    if (facts.isCuda() && facts.isForRocm()) {
      SourceFile first = files.iterator().next().source();
      changes(first)
          .finding(
              "CMAKE-THERE",
              Disposition.REVIEW,
              0,
              0,
              "this build already uses ROCm or HIP; its CMake files are unchanged");
      return;
    }
    if (options.style() == Style.SINGLE_SOURCE) {
      new Twins(facts, changes, added, this::fresh).port(files);
      return;
    }
    for (CMakeFile f : files) {
      new ListPort(f, facts, changes(f.source()), false).port();
    }
  }

  private Changes fresh(SourceFile file) {
    return new Changes(file, catalog, options.filter());
  }

  /** Returns the folders of top-level list files. */
  private static List<String> roots(Collection<String> paths) {
    List<String> roots = new ArrayList<>();
    TreeSet<String> folders = new TreeSet<>();
    for (String path : paths) {
      if (path.endsWith("CMakeLists.txt")) {
        folders.add(path.substring(0, path.lastIndexOf('/') + 1));
      }
    }
    for (String folder : folders) {
      if (roots.stream().noneMatch(folder::startsWith)) {
        roots.add(folder);
      }
    }
    return roots;
  }
}
