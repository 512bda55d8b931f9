package dev.rocport.build.unit;

import java.nio.file.Path;
import java.util.List;

/**
 * Something that is linked.
 *
 * @param name as the project calls it
 * @param kind what it is
 * @param output the file
 * @param objects the objects, in order
 * @param uses names of other artifacts of the plan that it is linked with
 * @param flags the project's link flags in the compiler's spelling
 */
public record Artifact(
    String name,
    Kind kind,
    Path output,
    List<Path> objects,
    List<String> uses,
    List<String> flags) {

  /** Sorts of link results. */
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
