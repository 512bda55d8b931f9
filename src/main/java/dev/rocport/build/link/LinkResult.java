package dev.rocport.build.link;

import dev.rocport.build.unit.Artifact;
import dev.rocport.build.unit.CodeObject;
import java.nio.file.Path;
import java.util.List;

/**
 * Result of linking one file.
 *
 * @param name name in the project
 * @param kind kind of file
 * @param output path of the file
 * @param status outcome
 * @param seconds wall time of the linker
 * @param inputs paths of its sources or objects
 * @param libraries libraries that it links
 * @param code the GPU code in it
 * @param message reason of a failure; otherwise empty
 */
public record LinkResult(
    String name,
    Artifact.Kind kind,
    Path output,
    Status status,
    double seconds,
    List<String> inputs,
    List<String> libraries,
    List<CodeObject> code,
    String message) {

  /** Outcome of a link. */
  public enum Status {
    LINKED,
    /** An input is missing. */
    SKIPPED,
    FAILED
  }

  public LinkResult {
    inputs = List.copyOf(inputs);
    libraries = List.copyOf(libraries);
    code = List.copyOf(code);
  }
}
