package dev.rocport.build.plan;

import java.util.List;

/**
 * What a source file says about how it is compiled.
 *
 * @param path relative to the tree's root, with {@code /}
 * @param includes its include directives, in order
 * @param device it has kernels, device functions or launches
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
