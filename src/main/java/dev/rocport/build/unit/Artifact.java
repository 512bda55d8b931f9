package dev.rocport.build.unit;

import java.nio.file.Path;
import java.util.List;

/**
 * A file that is linked.
 *
 * @param name name in the project
 * @param kind kind of file
 * @param output path of the file
 * @param objects objects, in order
 * @param uses names of artifacts of the plan that it links
 * @param flags link flags of the project, as the compiler accepts them
 */
public record Artifact(
    String name,
    Kind kind,
    Path output,
    List<Path> objects,
    List<String> uses,
    List<String> flags) {

  /** Kinds of linked files. */
  public enum Kind {
    EXECUTABLE,
    SHARED,
    STATIC
  }

  public Artifact {
    objects = List.copyOf(objects);
    uses = List.copyOf(uses);
    flags = List.copyOf(flags);
  }
}
