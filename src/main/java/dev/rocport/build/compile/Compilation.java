package dev.rocport.build.compile;

import dev.rocport.build.unit.CodeObject;
import dev.rocport.build.unit.Unit;
import java.util.List;
import java.util.SortedSet;

/**
 * What became of one unit.
 *
 * @param status how it ended
 * @param seconds wall time of the compiler; 0 for cached objects
 * @param diagnostics what the compiler said
 * @param code the GPU code in the object
 * @param failed the targets, and {@code host}, that did not compile
 * @param message why it failed where the compiler gives no diagnostic; else empty
 */
public record Compilation(
    Unit unit,
    Status status,
    double seconds,
    List<Diagnostic> diagnostics,
    List<CodeObject> code,
    SortedSet<String> failed,
    String message) {

  /** How a compile ended. */
  public enum Status {
    COMPILED,
    /** The object came from the cache. */
    CACHED,
    FAILED
  }

  public Compilation {
    diagnostics = List.copyOf(diagnostics);
    code = List.copyOf(code);
  }

  public boolean ok() {
    return status != Status.FAILED;
  }
}
