package dev.rocport.lang.cuda.symbols;

/**
 * A CUDA name that a file of the project defines itself.
 *
 * @param name the name, as {@code scope::name} if a class or namespace has it
 * @param includes number of include directives before it
 */
public record Definition(String name, int includes, Reach reach) {
  /** Where a definition gives the name its meaning. */
  public enum Reach {
    /** In its file, and in files that follow it in a translation unit. */
    INCLUDE,

    /** Also where only a prototype is seen: a function with external linkage. */
    LINK,

    /**
     * A prototype, which defines nothing: it repeats that of CUDA, or is that of such a function.
     */
    PROTOTYPE
  }
}
