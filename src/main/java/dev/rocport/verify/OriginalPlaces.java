package dev.rocport.verify;

import dev.rocport.build.Builder;
import dev.rocport.build.unit.Origin;
import dev.rocport.build.unit.OriginMap;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.port.PortMemory;
import dev.rocport.rules.RuleCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the CUDA lines that lines of ported files come from, as their ports recorded them. */
final class OriginalPlaces {
  private final RuleCatalog catalog;
  private final Map<Path, Port> known = new HashMap<>();

  /** A ported tree: where lines come from, and the originals. */
  private record Port(OriginMap origins, Optional<PortMemory> memory) {}

  OriginalPlaces(RuleCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * The original file and line; empty if the file is in no ported tree.
   *
   * @param file a ported file; a build may have compiled a copy of it
   * @param line 1-based
   */
  Optional<OriginalPlace> of(Path file, int line) {
    Path ported = Path.of(file.toString().replace("/" + Programs.BUILD + "/tree/", "/"));
    for (Path root = ported.getParent(); root != null; root = root.getParent()) {
      if (Files.isDirectory(root.resolve(SourceTree.STATE))) {
        Port port =
            known.computeIfAbsent(
                root, r -> new Port(Builder.recorded(r, catalog), PortMemory.of(r)));
        String path = root.relativize(ported).toString();
        return port.origins().at(path, line).map(o -> place(port, path, o));
      }
    }
    return Optional.empty();
  }

  private static OriginalPlace place(Port port, String path, Origin origin) {
    List<String> lines =
        port.memory()
            .flatMap(m -> m.original(path))
            .map(o -> excerpt(o.file(), origin.line()))
            .orElse(List.of());
    return new OriginalPlace(origin.path(), origin.line(), lines);
  }

  private static List<String> excerpt(SourceFile file, int line) {
    List<String> texts = new ArrayList<>();
    int last = Math.min(file.lines(), line + Excerpt.AROUND);
    for (int n = Excerpt.first(line); n <= last; n++) {
      texts.add(file.text(file.lineStart(n), file.lineEnd(n)));
    }
    return Excerpt.of(texts, line);
  }
}
