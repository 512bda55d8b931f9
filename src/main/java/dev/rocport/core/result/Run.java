package dev.rocport.core.result;

import java.util.List;
import java.util.SortedMap;

/**
 * What was run. No times and no host: the same run gives the same report.
 *
 * @param version of rocport
 * @param command such as {@code audit}
 * @param roots files and folders as given
 * @param base the tree's root from the folder where the command ran, with {@code /}; empty if it is
 *     that folder, or is not below it
 * @param options the options that affect the result, by name without dashes
 */
public record Run(
    String version,
    String command,
    List<String> roots,
    String base,
    SortedMap<String, String> options) {
  public Run {
    roots = List.copyOf(roots);
  }

  /** The same of a copy of the tree: paths start at its root, wherever the copy is. */
  public Run ofCopy() {
    return new Run(version, command, roots, "", options);
  }

  /** A file's path from the folder where the command ran: a repository's root, usually. */
  public String fromHere(String path) {
    return base.isEmpty() ? path : base + "/" + path;
  }
}
