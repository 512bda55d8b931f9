package dev.rocport.build.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Content of a source file that affects how it is compiled.
 *
 * @param path path relative to the root of the tree, separated by {@code /}
 * @param includes include directives that name a header, in order
 * @param computed macros that other include directives name, in order
 * @param values the values of macros that an include directive can use
 * @param device whether it has kernels, device functions or launches
 */
record ScannedFile(
    String path,
    List<Include> includes,
    List<String> computed,
    Map<String, Set<String>> values,
    boolean device) {

  /**
   * An include directive.
   *
   * @param name as spelled between the quotes or brackets
   */
  record Include(String name, boolean quoted) {}

  ScannedFile {
    includes = List.copyOf(includes);
    computed = List.copyOf(computed);
    values = Map.copyOf(values);
  }
}
