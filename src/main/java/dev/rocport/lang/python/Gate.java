package dev.rocport.lang.python;

import java.util.List;
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

  /** What it is in a build without PyTorch: {@code USE_ROCM} where it is set, else what is here. */
  static final String BUILD_DEFINITION =
      "_os.environ.get(\"USE_ROCM\", \"1\" if _shutil.which(\"hipcc\") and not"
          + " _shutil.which(\"nvcc\") else \"0\") == \"1\"";

  /** The names that it needs, and the line that brings them. */
  static final List<String> BUILD_NAMES = List.of("_os", "_shutil");

  static final String IMPORT_FOR_BUILD = "import os as _os, shutil as _shutil  # for is_rocm";

  /** Ends the import of torch that a definition needed. */
  static final String IMPORT_FOR_GATE = "import torch  # for is_rocm";

  private Gate() {}

  /** Returns whether a file that defines its own gate sets it to this value. */
  static boolean isDefinition(String value) {
    return value.equals(DEFINITION) || value.equals(BUILD_DEFINITION);
  }
}
