package dev.rocport.build.unit;

import java.nio.file.Path;
import java.util.List;

/**
 * One translation unit.
 *
 * @param path the source as reports show it: relative to the tree's root, with {@code /}
 * @param source the source as the compiler is given it: relative to {@code directory}
 * @param directory where the compiler runs
 * @param language what it is compiled as
 * @param arguments the project's own flags in the compiler's spelling, in order
 * @param relocatable device code is linked later, across units
 * @param object where the object goes
 */
public record Unit(
    String path,
    String source,
    Path directory,
    Language language,
    List<String> arguments,
    boolean relocatable,
    Path object) {

  public Unit {
    arguments = List.copyOf(arguments);
  }

  public Unit asRelocatable() {
    return new Unit(path, source, directory, language, arguments, true, object);
  }

  public boolean hasDeviceCode() {
    return language == Language.HIP;
  }
}
