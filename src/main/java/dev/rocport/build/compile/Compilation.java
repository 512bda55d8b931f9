package dev.rocport.build.compile;

import dev.rocport.build.unit.CodeObject;
import dev.rocport.build.unit.Unit;
import java.util.List;
import java.util.SortedSet;

/**
 * Result of compiling one unit.
 *
 * @param status outcome
 * @param seconds wall time of the compiler; 0 for cached objects
 * @param diagnostics diagnostics of the compiler
 * @param code the GPU code in the object
 * @param failed targets, and {@code host}, that did not compile
 * @param message reason of a failure without diagnostics; otherwise empty
 */
public record Compilation(
    Unit unit,
    Status status,
    double seconds,
    List<Diagnostic> diagnostics,
    List<CodeObject> code,
    SortedSet<String> failed,
    String message) {

  /** Outcome of a compile. */
  public enum Status {
    COMPILED,
    /** The object came from the cache. */
    CACHED,
    FAILED;

    /**
     * Returns the word for progress messages.
     *
     * @param check whether what the errors mean is decided after the compile
     */
    public String verb(boolean check) {
      if (check) {
        return "checked";
      }
      return switch (this) {
        case COMPILED -> "compiled";
        case CACHED -> "cached";
        case FAILED -> "FAILED";
      };
    }
  }

  public Compilation {
    diagnostics = List.copyOf(diagnostics);
    code = List.copyOf(code);
  }

  public boolean ok() {
    return status != Status.FAILED;
  }
}
