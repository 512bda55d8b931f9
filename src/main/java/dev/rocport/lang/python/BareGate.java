package dev.rocport.lang.python;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Gates that a file without PyTorch sets itself. */
enum BareGate {
  /** In a build: {@code USE_ROCM} where it is set, else the compilers on the path. */
  BUILD(
      "_os.environ.get(\"USE_ROCM\", \"1\" if _shutil.which(\"hipcc\") and not"
          + " _shutil.which(\"nvcc\") else \"0\") == \"1\"",
      "import os as _os, shutil as _shutil  # for is_rocm"),

  /**
   * Elsewhere: the drivers of the machine. /dev/kfd is also there for an integrated GPU, and
   * /dev/nvidiactl may be missing until the first call of NVML or CUDA makes it.
   */
  DRIVERS(
      "_os.path.exists(\"/dev/kfd\") and not any(map(_os.path.exists,"
          + " (\"/dev/nvidiactl\", \"/proc/driver/nvidia\")))",
      "import os as _os  # for is_rocm");

  private final String definition;
  private final String imports;

  BareGate(String definition, String imports) {
    this.definition = definition;
    this.imports = imports;
  }

  /** Returns the value of the gate. */
  String definition() {
    return definition;
  }

  /** Returns the names that the value uses. */
  List<String> names() {
    return switch (this) {
      case BUILD -> List.of("_os", "_shutil");
      case DRIVERS -> List.of("_os");
    };
  }

  /** Returns the line that binds these names. */
  String imports() {
    return imports;
  }

  /** Returns the gate with this value. */
  static Optional<BareGate> of(String definition) {
    return Arrays.stream(values()).filter(g -> g.definition.equals(definition)).findFirst();
  }

  /** Returns the gate that this line is for. */
  static Optional<BareGate> importedBy(String line) {
    return Arrays.stream(values()).filter(g -> g.imports.equals(line)).findFirst();
  }
}
