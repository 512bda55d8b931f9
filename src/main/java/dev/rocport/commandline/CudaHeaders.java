package dev.rocport.commandline;

import dev.rocport.io.PathText;
import java.nio.file.Files;
import java.nio.file.Path;

/** The CUDA headers, which must not get between the ported code and the HIP headers. */
final class CudaHeaders {
  private CudaHeaders() {}

  /** Returns whether a folder in a command contains CUDA headers. */
  static boolean areIn(Path directory, String folder) {
    return PathText.named(directory, folder)
        .filter(f -> Files.exists(f.resolve("cuda_runtime.h")))
        .isPresent();
  }
}
