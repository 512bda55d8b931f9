package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.buildsystem.shared.SystemPort;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Ports CMake builds: list files, modules, package templates and presets. */
public final class CMakeLists extends SystemPort {
  public static final BuildSystem SYSTEM =
      new BuildSystem("cmake", CMakeLists::serves, CMakeLists::new, List.of(CMakeGate.GATE));

  private static final String THERE = "CMAKE-THERE";
  private static final Pattern CUDA = Pattern.compile("(?i)cuda|nvcc");
  private static final Pattern PRESETS = Pattern.compile("CMake(User)?Presets\\.json");

  private CMakeLists(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    super(catalog, options, files);
  }

  /** Returns true for files that CMake reads. */
  public static boolean serves(String path) {
    return BuildFileNames.isCMake(path) || isPresets(path);
  }

  private static boolean isPresets(String path) {
    return PRESETS.matcher(path.substring(path.lastIndexOf('/') + 1)).matches();
  }

  @Override
  protected void portTree() {
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
    List<CMakeFile> outside = roots.contains("") ? List.of() : projects.getOrDefault("", List.of());
    Map<CMakeFile, List<CMakeFile>> readers = new LinkedHashMap<>();
    for (Map.Entry<String, List<CMakeFile>> p : projects.entrySet()) {
      Set<CMakeFile> shared =
          options.style() == Style.HIP && p.getValue() != outside
              ? SharedFiles.of(p.getValue(), outside)
              : Set.of();
      shared.forEach(f -> readers.computeIfAbsent(f, r -> new ArrayList<>()).addAll(p.getValue()));
      if (p.getValue() != outside) {
        project(p.getValue(), shared);
      }
    }
    readers.forEach(this::shared);
    List<CMakeFile> rest = outside.stream().filter(f -> !readers.containsKey(f)).toList();
    if (!rest.isEmpty()) {
      project(rest, Set.of());
    }
    changes.values().removeIf(c -> c.edits().isEmpty() && c.findings().isEmpty());
  }

  /** Ports a file that several projects may include, with what all of them say. */
  private void shared(CMakeFile file, Collection<CMakeFile> readers) {
    CMakeFacts facts = CMakeFacts.ofShared(file, readers, files.copies());
    if (!facts.isForRocm()) {
      new ListPort(file, facts, changes(file.source()), false).port();
    }
  }

  /**
   * Ports the files of a project.
   *
   * @param shared files outside its folder that it includes; they are only read
   */
  private void project(Collection<CMakeFile> project, Set<CMakeFile> shared) {
    CMakeFacts facts = new CMakeFacts(project, shared, files.copies());
    if (facts.isCuda() && facts.isForRocm()) {
      there(project);
      return;
    }
    if (options.style() == Style.SINGLE_SOURCE) {
      new Twins(facts, changes, added, this::fresh).port(project);
      return;
    }
    for (CMakeFile f : project) {
      new ListPort(f, facts, changes(f.source()), false).port();
    }
  }

  /** Reports a project that has a branch for ROCm. */
  private void there(Collection<CMakeFile> project) {
    CMakeFile main =
        project.stream()
            .filter(f -> f.source().path().endsWith("CMakeLists.txt"))
            .min(Comparator.comparing((CMakeFile f) -> f.source().path().length()))
            .orElse(project.iterator().next());
    Optional<CMakeCommand> always = CudaAlways.of(main.commands());
    if (always.isEmpty()) {
      SourceFile first = project.iterator().next().source();
      changes(first)
          .finding(
              THERE,
              Disposition.REVIEW,
              0,
              0,
              "this build already uses ROCm or HIP; its CMake files are unchanged");
      return;
    }
    changes(main.source())
        .finding(
            THERE,
            Severity.WARNING,
            Disposition.REVIEW,
            always.get().start(),
            always.get().end(),
            "this build already uses ROCm or HIP, and its CMake files are unchanged; but this line"
                + " asks for CUDA also if the project is configured for ROCm, which fails without"
                + " the CUDA toolkit",
            "Ask for CUDA only if the project's option for ROCm is off; then turn that option on.");
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
