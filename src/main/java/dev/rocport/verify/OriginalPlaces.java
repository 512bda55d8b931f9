package dev.rocport.verify;

import dev.rocport.build.Builder;
import dev.rocport.build.unit.OriginMap;
import dev.rocport.core.source.SourceTree;
import dev.rocport.rules.RuleCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Finds the CUDA lines that lines of ported files come from, as their ports recorded them. */
final class OriginalPlaces {
  private final RuleCatalog catalog;
  private final Map<Path, OriginMap> known = new HashMap<>();

  OriginalPlaces(RuleCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * The original file and line; empty if the file is in no ported tree.
   *
   * @param file a ported file; a build may have compiled a copy of it
   * @param line 1-based
   */
  Optional<String> of(Path file, int line) {
    Path ported = Path.of(file.toString().replace("/" + Programs.BUILD + "/tree/", "/"));
    for (Path root = ported.getParent(); root != null; root = root.getParent()) {
      if (Files.isDirectory(root.resolve(SourceTree.STATE))) {
        return known
            .computeIfAbsent(root, r -> Builder.recorded(r, catalog))
            .at(root.relativize(ported).toString(), line)
            .map(o -> o.path() + ":" + o.line());
      }
    }
    return Optional.empty();
  }
}
