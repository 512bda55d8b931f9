package dev.rocport.build.unit;

import java.nio.file.Path;
import java.util.List;

/**
 * One translation unit.
 *
 * @param path the source as reports show it: relative to the root of the tree, separated by {@code
 *     /}
 * @param source the source on the command line: relative to {@code directory}
 * @param directory working directory of the compiler
 * @param language language to compile it as
 * @param arguments flags of the project, as the compiler accepts them, in order
 * @param relocatable whether device code is linked later, across units
 * @param object path of the object
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

  /** Returns the same unit with other flags. */
  public Unit withArguments(List<String> others) {
    return new Unit(path, source, directory, language, others, relocatable, object);
  }

  public boolean hasDeviceCode() {
    return language == Language.HIP;
  }
}
