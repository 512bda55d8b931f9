package dev.rocport.lang.python;

import java.util.Set;

/** Names the gate {@code is_rocm}: its names, its modules and its definitions. */
final class Gate {
  /** The gate's name. */
  static final String GATE = "is_rocm";

  /** Its name where the file has another {@code is_rocm}. */
  static final String OTHER_NAME = "rocport_is_rocm";

  /** Its name in Triton kernels, for which it is a constant. */
  static final String IN_KERNELS = "is_rocm_kernel";

  /** The module that kernels have it from. */
  static final String TRITON = "_rocm_triton";

  /** The modules that have the gate. */
  static final Set<String> MODULES = Set.of("_rocm", TRITON);

  /** What it is, without the name of torch. */
  static final String DEFINITION =
      "hasattr(torch.version, \"hip\") and torch.version.hip is not None";

  /** Ends the import of torch that a definition needed. */
  static final String IMPORT_FOR_GATE = "import torch  # for is_rocm";

  private Gate() {}

  /** Returns whether a file that defines its own gate sets it to this value. */
  static boolean isDefinition(String value) {
    return value.equals(DEFINITION) || BareGate.of(value).isPresent();
  }
}
