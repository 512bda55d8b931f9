package dev.rocport.doctor;

import java.util.List;

/**
 * A package that is installed for a Python.
 *
 * @param name in its normal form: lower case, dashes
 * @param version as the package writes it
 * @param requires those of its requirements that matter here, as written
 * @param folder that contains it
 * @param libraries some of its compiled modules, if it requires PyTorch
 */
record Installed(
    String name, String version, List<String> requires, String folder, List<String> libraries) {
  Installed {
    requires = List.copyOf(requires);
    libraries = List.copyOf(libraries);
  }
}
