package dev.rocport.cli.build;

import dev.rocport.build.BuildResult;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.unit.CodeObject;
import dev.rocport.core.result.BuildInfo;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A build in terms of the result model: files with findings, and what was built. */
final class BuildReport {
  private final BuildResult result;
  private final Path root;

  BuildReport(BuildResult result, Path root) {
    this.result = result;
    this.root = root;
  }

  /** The units, and the other files that findings are about; in order of the path. */
  List<FileResult> files() {
    SortedMap<String, List<Finding>> byPath = new TreeMap<>();
    SortedMap<String, UnitResult> units = new TreeMap<>();
    for (UnitResult u : result.units()) {
      units.put(u.path(), u);
      byPath.put(u.path(), new ArrayList<>());
    }
    for (Finding f : result.allFindings()) {
      byPath.computeIfAbsent(f.path(), p -> new ArrayList<>()).add(f);
    }
    List<FileResult> files = new ArrayList<>();
    for (Map.Entry<String, List<Finding>> e : byPath.entrySet()) {
      e.getValue().sort(Comparator.comparingInt(Finding::line).thenComparingInt(Finding::column));
      files.add(file(e.getKey(), units.get(e.getKey()), e.getValue()));
    }
    return files;
  }

  private FileResult file(String path, @Nullable UnitResult unit, List<Finding> findings) {
    Status status = Status.UNCHANGED;
    String language = "other";
    String message = "";
    if (unit != null) {
      status = unit.ok() ? Status.COMPILED : Status.NOT_COMPILED;
      language =
          switch (unit.language()) {
            case HIP -> "cuda";
            case CXX -> "c++";
            case C -> "c";
          };
      message = unit.message();
    }
    long bytes = 0;
    int lines = 0;
    try {
      SourceFile file = new SourceFile(path, Files.readAllBytes(root.resolve(path)));
      bytes = file.length();
      lines = file.encoding().isText() ? file.lines() : 0;
    } catch (IOException e) {
      // The original had another name, or the file is gone, so its size is meaningless here.
    }
    return new FileResult(
        path, status, language, bytes, lines, Collections.emptySortedMap(), findings, message);
  }

  BuildInfo info() {
    return new BuildInfo(
        result.source(),
        result.compiler(),
        result.hip(),
        result.targets(),
        result.units().stream().map(BuildReport::unit).toList(),
        result.links().stream().map(this::link).toList(),
        result.notes());
  }

  private static BuildInfo.Unit unit(UnitResult u) {
    return new BuildInfo.Unit(
        u.path(),
        label(u.language()),
        u.ok() ? "compiled" : label(u.status()),
        u.targets(),
        u.kernels(),
        u.warnings(),
        u.message());
  }

  private BuildInfo.Link link(LinkResult l) {
    SortedMap<String, List<String>> kernels = new TreeMap<>();
    for (CodeObject c : l.code()) {
      kernels.computeIfAbsent(c.target(), t -> new ArrayList<>()).addAll(c.kernels());
    }
    return new BuildInfo.Link(
        l.name(),
        label(l.kind()),
        label(l.status()),
        path(root, l.output()),
        l.inputs(),
        l.libraries(),
        kernels,
        l.message());
  }

  /** Returns a path relative to the tree if it is inside. */
  static String path(Path root, Path file) {
    return file.startsWith(root) ? root.relativize(file).toString() : file.toString();
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
