package dev.rocport.toolchain.packages;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Chooses the files of packages that a GPU can need. Some libraries have a file of machine code for
 * each kernel and GPU, with the GPU in its name, and read only those of the GPU that they find.
 */
final class GpuFiles implements Predicate<String> {
  private static final Pattern GPU = Pattern.compile("gfx[0-9][0-9a-f]{2,3}(?![0-9a-zA-Z])");

  private final String gpu;

  GpuFiles(String gpu) {
    this.gpu = gpu;
  }

  /** Whether the name of a file has this GPU, or none. */
  @Override
  public boolean test(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    List<String> gpus = GPU.matcher(name).results().map(MatchResult::group).toList();
    return gpus.isEmpty() || gpus.contains(gpu);
  }
}
