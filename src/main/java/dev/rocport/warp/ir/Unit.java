package dev.rocport.warp.ir;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one file says.
 *
 * @param functions those that run on the GPU
 * @param constants what macros, enumerators and constants of the file stand for; empty where a name
 *     is defined twice with different values
 * @param mentions how often each function of the file or elsewhere is named: calls, launches and
 *     other uses, its definitions not
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
