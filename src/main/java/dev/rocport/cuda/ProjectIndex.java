package dev.rocport.cuda;

import java.util.List;
import java.util.Set;

/**
 * What the files of one project say about each other: the names that the project itself declares
 * and its own headers. Immutable; the same for every file of a run.
 *
 * @param declared names with a CUDA prefix that the project declares itself
 * @param headers paths of the project's header files, relative to its root
 */
public record ProjectIndex(Set<String> declared, Set<String> headers) {
  public static final ProjectIndex EMPTY = new ProjectIndex(Set.of(), Set.of());

  /** What one file adds to the index. */
  public record Scan(String path, List<String> declared) {}

  public static ProjectIndex of(List<Scan> scans) {
    java.util.SortedSet<String> declared = new java.util.TreeSet<>();
    java.util.SortedSet<String> headers = new java.util.TreeSet<>();
    for (Scan scan : scans) {
      declared.addAll(scan.declared());
      headers.add(scan.path());
    }
    return new ProjectIndex(Set.copyOf(declared), Set.copyOf(headers));
  }
}
