package dev.rocport.doctor;

import java.util.List;
import java.util.Optional;

/**
 * A Python interpreter and what it told of itself.
 *
 * @param path as it was called
 * @param from where that name came from, such as {@code PATH}
 * @param version such as {@code 3.10.12}; empty if it did not answer
 * @param executable the interpreter itself
 * @param prefix the environment that it belongs to
 * @param torch what it would import; empty for none
 * @param packages those that matter here, in the order in which they are found
 * @param failure why it did not answer, or not in full; empty if it did
 */
record Python(
    String path,
    String from,
    String version,
    String executable,
    String prefix,
    Optional<Torch> torch,
    List<Installed> packages,
    String failure) {
  Python {
    packages = List.copyOf(packages);
  }

  boolean answered() {
    return !version.isEmpty();
  }

  /** The package of this name that would be imported. */
  Optional<Installed> installed(String name) {
    return packages.stream().filter(p -> p.name().equals(name)).findFirst();
  }
}
