package dev.rocport.port;

import dev.rocport.core.source.TreeEntry;
import java.nio.file.Path;
import java.util.Map;

/** The output path of each original file, usually the same path. */
public final class OutputNames {
  private final Map<String, String> renamed;

  private OutputNames(Map<String, String> renamed) {
    this.renamed = renamed;
  }

  /** Names in which every file keeps its own. */
  public static OutputNames same() {
    return new OutputNames(Map.of());
  }

  /** Returns names in which these files, by path, get these paths. */
  public static OutputNames of(Map<String, String> renamed) {
    return new OutputNames(Map.copyOf(renamed));
  }

  String of(TreeEntry entry) {
    return renamed.getOrDefault(entry.path(), entry.path());
  }

  /** Returns the new target of a symbolic link, whose target may have another name. */
  Path linkTarget(TreeEntry entry) {
    Path target = Path.of(entry.note());
    int slash = entry.path().lastIndexOf('/');
    String folder = slash < 0 ? "" : entry.path().substring(0, slash);
    String inTree = Path.of(folder).resolve(target).normalize().toString();
    String now = renamed.get(inTree);
    return now == null ? target : target.resolveSibling(now.substring(now.lastIndexOf('/') + 1));
  }
}
