package dev.rocport.packaging;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.packaging.TorchReleases.Release;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks all files of a tree that specify what to install. Siblings for ROCm are new files;
 * existing files are never overwritten.
 */
public final class Packages {
  private final RuleCatalog catalog;
  private final PortOptions options;
  private final ProjectFiles files;
  private final SortedMap<String, Changes> changes = new TreeMap<>();
  private final SortedMap<String, BuildPort.Added> added = new TreeMap<>();
  private final SortedMap<String, RequirementsPort> requirements = new TreeMap<>();

  /** The files of each kind, in order of the path. */
  private final Map<FileRole, List<String>> roles = new EnumMap<>(FileRole.class);

  /** Siblings by the path of the original. */
  private final SortedMap<String, String> siblings = new TreeMap<>();

  private Packages(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    this.catalog = catalog;
    this.options = options;
    this.files = files;
  }

  /** Ports the files of a tree. */
  public static BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    Packages packages = new Packages(catalog, options, files);
    packages.run();
    return new BuildPort(packages.changes, packages.added, new TreeMap<>());
  }

  /**
   * The port of a single file.
   *
   * @param path path of the sibling; of the file itself if there is none
   * @param text text of the sibling, or of the file
   */
  public record Snippet(String path, String text, Changes changes) {}

  /** Ports a single file as a tree. */
  public static Snippet portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    Packages packages = new Packages(catalog, options, ProjectFiles.of(file));
    packages.run();
    Changes changes = packages.changes(file);
    String text = new String(changes.edits().apply(file.bytes()), StandardCharsets.UTF_8);
    return packages.added.entrySet().stream()
        .findFirst()
        .map(e -> new Snippet(e.getKey(), e.getValue().content(), changes))
        .orElseGet(() -> new Snippet(file.path(), text, changes));
  }

  private void run() {
    for (String path : files.paths()) {
      FileRole role = FileRole.of(path);
      if (role != FileRole.OTHER && !FileRole.isForRocm(path)) {
        roles.computeIfAbsent(role, r -> new ArrayList<>()).add(path);
      }
    }
    requirements();
    each(FileRole.DOCKERFILE, file -> dockerfile(file));
    each(FileRole.COMPOSE, file -> new ComposePort(this, file).port(siblings));
    each(FileRole.CONDA, file -> new CondaPort(this, file).port(siblings));
    each(FileRole.PYPROJECT, file -> new ProjectCheck(this, file, ProjectCheck.RULE).toml());
    each(FileRole.PIPFILE, file -> new ProjectCheck(this, file, ProjectCheck.RULE).toml());
    each(FileRole.SETUP_CFG, file -> new ProjectCheck(this, file, ProjectCheck.SETUP_CFG).cfg());
    each(FileRole.CI, file -> new CiCheck(this, file).check());
    each(FileRole.SPACK, file -> SpackCheck.check(this, file));
    changes
        .values()
        .removeIf(c -> c.file().path().endsWith("package.py") && c.findings().isEmpty());
  }

  private void each(FileRole role, Consumer<SourceFile> port) {
    for (String path : roles.getOrDefault(role, List.of())) {
      SourceFile file = text(path);
      if (file != null) {
        guarded(file, () -> port.accept(file));
      }
    }
  }

  private void dockerfile(SourceFile file) {
    String path = new DockerfilePort(this, file).port(siblings);
    if (!path.isEmpty()) {
      siblings.put(file.path(), path);
    }
  }

  private void requirements() {
    Deque<String> open = new ArrayDeque<>(roles.getOrDefault(FileRole.REQUIREMENTS, List.of()));
    while (!open.isEmpty()) {
      String path = open.poll();
      if (requirements.containsKey(path) || FileRole.isForRocm(path)) {
        continue;
      }
      SourceFile file = text(path);
      if (file != null) {
        RequirementsPort port = new RequirementsPort(this, file);
        requirements.put(path, port);
        open.addAll(port.included());
      }
    }
    Set<String> cuda = new TreeSet<>();
    requirements.forEach(
        (path, port) -> {
          if (port.isCuda()) {
            cuda.add(path);
          }
        });
    // A file that includes a file with a sibling also needs a sibling.
    boolean more = true;
    while (more) {
      more = false;
      for (var e : requirements.entrySet()) {
        if (e.getValue().included().stream().anyMatch(cuda::contains)) {
          more |= cuda.add(e.getKey());
        }
      }
    }
    Map<String, String> taken = new HashMap<>();
    for (String path : cuda) {
      String place = Paths.sibling(path, true);
      if (taken.putIfAbsent(place, path) != null || place.equals(path)) {
        place = Paths.sibling(path, false);
        taken.put(place, path);
      }
      siblings.put(path, place);
    }
    requirements.forEach(
        (path, port) -> {
          String place = siblings.getOrDefault(path, Paths.sibling(path, true));
          guarded(port.file(), () -> port.port(torch(path), siblings, place));
        });
  }

  /** Ports one file; an exception becomes a finding in that file. */
  private void guarded(SourceFile file, Runnable port) {
    try {
      port.run();
    } catch (RuntimeException | StackOverflowError e) {
      changes(file)
          .finding(
              "FILE-INTERNAL",
              Disposition.UNPORTED,
              0,
              0,
              "a rule failed, so the file was not checked: " + e);
    }
  }

  /**
   * Returns the release of torch for a file: the version that it or a file installed with it pins,
   * then any version that one of them requests, otherwise the newest.
   */
  private Release torch(String path) {
    List<RequirementsPort> together = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(path));
    while (!open.isEmpty()) {
      String at = open.poll();
      RequirementsPort port = requirements.get(at);
      if (port == null || !seen.add(at)) {
        continue;
      }
      together.add(port);
      open.addAll(port.included());
      requirements.forEach(
          (other, p) -> {
            if (p.included().contains(at)) {
              open.add(other);
            }
          });
    }
    return together.stream()
        .flatMap(p -> p.torch(true).stream())
        .findFirst()
        .or(() -> together.stream().flatMap(p -> p.torch(false).stream()).findFirst())
        .orElseGet(this::newest);
  }

  /** Returns true if the ported tree no longer builds for CUDA, so files may be edited. */
  boolean isForRocmAlone() {
    return options.style() == PortOptions.Style.HIP;
  }

  void edit(SourceFile file, String rule, int start, int end, String text) {
    changes(file).edit(Edit.replace(start, end, text, rule));
  }

  String rocm() {
    return options.hip();
  }

  Release newest() {
    return TorchReleases.newest(rocm());
  }

  /** Returns the file as text with one character per byte, so offsets are byte offsets. */
  static String latin(SourceFile file) {
    return new String(file.bytes(), StandardCharsets.ISO_8859_1);
  }

  private @Nullable SourceFile text(String path) {
    SourceFile file = files.read(path);
    if (file == null || file.length() == 0) {
      return null;
    }
    if (file.encoding() == Encoding.WIDE) {
      changes(file); // its port reports that it is unreadable
      return null;
    }
    return file.encoding().isText() ? file.withLineFeeds() : null;
  }

  private Changes changes(SourceFile file) {
    return changes.computeIfAbsent(file.path(), p -> new Changes(file, catalog, options.filter()));
  }

  /**
   * Adds a sibling that begins with a comment on its origin and use.
   *
   * @param use what follows the name of the original in the comment
   */
  void add(SourceFile file, String rule, String path, Sibling sibling, String use) {
    add(file, rule, path, sibling.build(origin(file, use)));
  }

  /** Returns the comment on the origin and use of a sibling. */
  static String origin(SourceFile file, String use) {
    return "Written by rocport port from " + Paths.name(file.path()) + use;
  }

  /** Adds a sibling, unless the tree already has such a file. */
  void add(SourceFile file, String rule, String path, String content) {
    Changes reported = changes(file);
    if (!reported.allows(rule)) {
      return;
    }
    String name = Paths.name(path);
    if (file.encoding() == Encoding.EIGHT_BIT) {
      finding(
          file,
          rule,
          Disposition.REVIEW,
          0,
          0,
          "this file is not UTF-8, so " + name + " is not written");
      return;
    }
    String text = new String(content.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    if (files.paths().contains(path)) {
      SourceFile there = files.read(path);
      if (there == null || !there.text(0, there.length()).equals(text)) {
        finding(
            file,
            rule,
            Disposition.REVIEW,
            0,
            0,
            name + " already exists and is kept; check that it has the requirements of this file");
      }
      return;
    }
    added.put(path, new BuildPort.Added(text, file.path()));
    finding(
        file,
        rule,
        Severity.NOTE,
        Disposition.PORTED,
        0,
        0,
        name + " is written next to it for ROCm; this file is unchanged");
  }

  void finding(SourceFile file, String rule, Disposition is, int start, int end, String message) {
    Severity severity =
        switch (is) {
          case PORTED -> Severity.NOTE;
          case REVIEW -> Severity.WARNING;
          case UNPORTED -> Severity.ERROR;
        };
    finding(file, rule, severity, is, start, end, message);
  }

  private void finding(
      SourceFile file,
      String rule,
      Severity severity,
      Disposition is,
      int start,
      int end,
      String message) {
    String advice = catalog.require(rule).advice();
    changes(file).finding(rule, severity, is, start, end, message, advice);
  }

  /** A note. */
  void noted(SourceFile file, String rule, int start, int end, String message) {
    finding(file, rule, Severity.NOTE, Disposition.REVIEW, start, end, message);
  }

  /** Returns true if a file of that path is there or has been written. */
  boolean isTaken(String path) {
    return files.paths().contains(path) || added.containsKey(path);
  }

  /** Reports the decision about a requirement. */
  void report(SourceFile file, String rule, int start, int end, String name, Judgement judgement) {
    switch (judgement) {
      case Judgement.Check(String why) ->
          finding(file, rule, Severity.NOTE, Disposition.REVIEW, start, end, name + ": " + why);
      case Judgement.Open(String why, boolean possible) ->
          finding(
              file,
              rule,
              possible ? Disposition.REVIEW : Disposition.UNPORTED,
              start,
              end,
              name + ": " + why);
      case Judgement.Same() -> {}
      case Judgement.Changed(String now, String why) ->
          finding(file, rule, Disposition.REVIEW, start, end, name + " is for CUDA here: " + why);
      case Judgement.Dropped(String why) ->
          finding(
              file, rule, Disposition.REVIEW, start, end, name + " is not needed on ROCm: " + why);
    }
  }
}
