package dev.rocport.doctor;

import java.util.List;

/**
 * The PyTorch that a Python would import.
 *
 * @param version such as {@code 2.5.1+rocm6.2}
 * @param hip version of HIP that it was built with; empty for other builds
 * @param cuda version of CUDA that it was built with; empty for other builds
 * @param folder that it lies in
 * @param architectures that its libraries hold code for; empty if not known
 * @param broken why nothing is known of it; empty if all is
 */
record Torch(
    String version,
    String hip,
    String cuda,
    String folder,
    List<String> architectures,
    String broken) {
  Torch {
    architectures = List.copyOf(architectures);
  }

  boolean isRocm() {
    return !hip.isEmpty();
  }

  /** What kind of build it is, for people. */
  String kind() {
    if (isRocm()) {
      return "built for ROCm (HIP " + hip + ")";
    }
    return cuda.isEmpty() ? "built for the CPU only" : "built for CUDA " + cuda;
  }
}
