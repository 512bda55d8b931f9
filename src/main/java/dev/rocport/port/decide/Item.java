package dev.rocport.port.decide;

import dev.rocport.io.Sha256;
import java.util.List;
import java.util.SortedSet;

/**
 * A change that a person can decide about: adjacent changed lines of a source, or all changes of
 * another file.
 *
 * @param path of the file in the tree
 * @param line 1-based line of the original; for inserted lines, that of the next line
 * @param before the original lines; empty for inserted lines
 * @param after the lines of the port
 * @param rules of the edits
 * @param change what changes, without the rest of the line; equal for equal changes
 * @param above the lines of the original above it, for a reader; for all changes of a file, their
 *     unified diff
 * @param below the lines of the original below it
 * @param place which of the changes of the file with these texts it is; empty if there is one only
 */
public record Item(
    String path,
    int line,
    String before,
    String after,
    SortedSet<String> rules,
    String change,
    List<String> above,
    List<String> below,
    String place) {
  public Item {
    above = List.copyOf(above);
    below = List.copyOf(below);
  }

  /** Returns whether it is all changes of a file. */
  public boolean isWhole() {
    return before.isEmpty() && after.isEmpty();
  }

  /** Returns its last line in the original; its first one if it only inserts. */
  public int lastLine() {
    return line + Math.max(0, (int) before.lines().count() - 1);
  }

  /** Returns the same change as one of several. */
  Item at(String newPlace) {
    return new Item(path, line, before, after, rules, change, above, below, newPlace);
  }

  /** Returns 16 hex digits that stay when lines move. */
  public String id() {
    return Sha256.fingerprint(
        String.join(
            "\n",
            path,
            String.join(",", rules),
            bare(before),
            bare(after),
            place.isEmpty() ? "1" : place));
  }

  /** Returns 16 hex digits that equal changes of all files share. */
  public String group() {
    return Sha256.fingerprint(String.join(",", rules) + "\n" + change);
  }

  /** Returns a text without white space. */
  static String bare(String text) {
    return text.replaceAll("\\s+", "");
  }
}
