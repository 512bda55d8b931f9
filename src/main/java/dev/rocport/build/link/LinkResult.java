package dev.rocport.build.link;

import dev.rocport.build.unit.Artifact;
import dev.rocport.build.unit.CodeObject;
import java.nio.file.Path;
import java.util.List;

/**
 * What became of something to be linked.
 *
 * @param name as the project calls it
 * @param kind what it is
 * @param output the file
 * @param status how it ended
 * @param seconds wall time of the linker
 * @param inputs paths of the sources or objects it is made of
 * @param libraries the libraries it was linked with
 * @param code the GPU code in it
 * @param message why it was not linked; else empty
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

  /** How linking ended. */
  public enum Status {
    LINKED,
    /** Something that it needs is not there. */
    SKIPPED,
    FAILED
  }

  public LinkResult {
    inputs = List.copyOf(inputs);
    libraries = List.copyOf(libraries);
    code = List.copyOf(code);
  }
}
