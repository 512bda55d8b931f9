package dev.rocport.lang.cuda.pass;

/** rocport headers that a ported file includes, by a path relative to that file. */
public final class Shims {
  private Shims() {}

  /** The path of {@code target} (below the tree's root) as seen from the folder of {@code file}. */
  public static String relative(String file, String target) {
    int depth = (int) file.chars().filter(c -> c == '/').count();
    return "../".repeat(depth) + target;
  }
}
