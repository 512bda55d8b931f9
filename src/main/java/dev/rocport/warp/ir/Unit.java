package dev.rocport.warp.ir;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The functions, constants, and names of one file.
 *
 * @param functions those that run on the GPU
 * @param constants the values of macros, enumerators, and constants of the file; empty if a name is
 *     defined twice with different values
 * @param mentions how often each function is named: calls, launches, and other uses, excluding its
 *     definitions
 * @param lineStarts the first byte of each line
 */
public record Unit(
    String path,
    List<Function> functions,
    List<Launch> launches,
    Map<String, Optional<Expr>> constants,
    Names mentions,
    int[] lineStarts) {
  /** 1-based line of a byte. */
  public int line(int offset) {
    int at = Arrays.binarySearch(lineStarts, offset);
    return at >= 0 ? at + 1 : -at - 1;
  }
}
