package dev.rocport.toolchain.packages;

import dev.rocport.toolchain.packages.PackageList.Group;
import java.util.List;

/**
 * Packages of the lock file that are unpacked into one folder.
 *
 * @param name of the set and of its folder
 * @param packages their names
 */
public record PackageSet(String name, List<String> packages) {
  public PackageSet {
    packages = List.copyOf(packages);
  }

  /** A set of one package, named like it. */
  public static PackageSet single(String name) {
    return new PackageSet(name, List.of(name));
  }

  Group group() {
    return new Group(name);
  }
}
