package dev.rocport.build.plan;

import dev.rocport.build.unit.Artifact;
import dev.rocport.build.unit.Unit;
import java.util.List;

/**
 * What is compiled and linked.
 *
 * @param source what the plan was read from: {@code plain}, {@code cmake}, {@code
 *     compile_commands.json}
 * @param units in order of their path
 * @param artifacts in the order in which they can be linked; empty where the objects' symbols tell
 * @param bySymbols every object with a {@code main} becomes a program of the objects that it needs
 * @param flags link flags for programs that are found by symbols
 * @param notes what the reader of the project was not sure of
 */
public record BuildPlan(
    String source,
    List<Unit> units,
    List<Artifact> artifacts,
    boolean bySymbols,
    List<String> flags,
    List<String> notes) {

  public BuildPlan {
    units = List.copyOf(units);
    artifacts = List.copyOf(artifacts);
    flags = List.copyOf(flags);
    notes = List.copyOf(notes);
  }
}
