package dev.rocport.build.unit;

import java.util.List;

/**
 * Machine code for one target inside an object or a program.
 *
 * @param target {@code gfx90a}, {@code gfx942:xnack-}, ...
 * @param linked false if it is bitcode that is linked across units later
 * @param kernels mangled kernel names, sorted; empty if it is not linked
 */
public record CodeObject(String target, boolean linked, List<String> kernels) {
  public CodeObject {
    kernels = List.copyOf(kernels);
  }
}
