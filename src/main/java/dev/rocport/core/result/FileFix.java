package dev.rocport.core.result;

import java.util.List;

/**
 * All that a port changes in one file. It is one thing: a part of it alone need not compile.
 *
 * @param path path relative to the tree's root, with {@code /}
 * @param replacements in order of place; they do not overlap
 * @param needs files of rocport's that the new text includes or imports
 */
public record FileFix(String path, List<Replacement> replacements, List<String> needs) {
  public FileFix {
    replacements = List.copyOf(replacements);
    needs = List.copyOf(needs);
  }
}
