package dev.rocport.core.source;

import java.nio.file.Path;

/**
 * One file of a tree.
 *
 * @param file its location
 * @param path its name in reports and state: relative to the tree's root, with {@code /}, bytes
 *     that are not UTF-8 as {@code \xNN}
 * @param kind how a port treats it
 * @param language {@code cuda}, {@code c++}, {@code c}, {@code python}, {@code java}, {@code
 *     build}, {@code other}
 * @param size bytes; 0 for what is not a regular file
 * @param note why it is excluded or cannot be read; the target of a link; otherwise empty
 */
public record TreeEntry(
    Path file, String path, FileKind kind, String language, long size, String note) {
  /** True for what the token pass is to look at. */
  public boolean isSource() {
    return kind == FileKind.SOURCE;
  }
}
