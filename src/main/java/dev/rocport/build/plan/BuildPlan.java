package dev.rocport.build.plan;

import dev.rocport.build.unit.Artifact;
import dev.rocport.build.unit.Unit;
import java.util.List;

/**
 * Units to compile and artifacts to link.
 *
 * @param source source of the plan: {@code plain}, {@code cmake}, {@code compile_commands.json}
 * @param units in order of their path
 * @param artifacts in a possible link order; empty if the symbols of the objects decide
 * @param bySymbols whether each object with a {@code main} becomes a program of the objects that it
 *     needs
 * @param flags link flags for programs that symbols determine
 * @param notes assumptions of the planner
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
