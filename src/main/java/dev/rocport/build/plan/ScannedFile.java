package dev.rocport.build.plan;

import java.util.List;

/**
 * Content of a source file that affects how it is compiled.
 *
 * @param path path relative to the root of the tree, separated by {@code /}
 * @param includes include directives, in order
 * @param device whether it has kernels, device functions or launches
 */
record ScannedFile(String path, List<Include> includes, boolean device) {

  /**
   * An include directive.
   *
   * @param name as spelled between the quotes or brackets
   */
  record Include(String name, boolean quoted) {}

  ScannedFile {
    includes = List.copyOf(includes);
  }
}
