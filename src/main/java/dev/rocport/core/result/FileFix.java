package dev.rocport.core.result;

import java.util.List;

/**
 * All changes of a port to one file. They belong together: a part of them alone might not compile.
 *
 * @param path path relative to the tree's root, with {@code /}
 * @param replacements in source order; they do not overlap
 * @param needs rocport files that the new text includes or imports
 */
public record FileFix(String path, List<Replacement> replacements, List<String> needs) {
  public FileFix {
    replacements = List.copyOf(replacements);
    needs = List.copyOf(needs);
  }
}
