package dev.rocport.buildsystem.shared;

import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The ported build files of a tree.
 *
 * @param changes edits and findings by the path of the file
 * @param added new files by their path
 * @param switches macros that are defined for CUDA builds, and their counterparts for ROCm
 */
public record BuildPort(
    SortedMap<String, Changes> changes,
    SortedMap<String, Added> added,
    SortedMap<String, String> switches) {
  public static final BuildPort NONE =
      new BuildPort(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  /**
   * A new file.
   *
   * @param content its text
   * @param like path of the file whose permissions it gets; empty for default permissions
   */
  public record Added(String content, String like) {}

  /** Returns the union of both; this one takes precedence for the same path. */
  public BuildPort and(BuildPort other) {
    SortedMap<String, Changes> bothChanges = new TreeMap<>(other.changes);
    bothChanges.putAll(changes);
    SortedMap<String, Added> bothAdded = new TreeMap<>(other.added);
    bothAdded.putAll(added);
    SortedMap<String, String> bothSwitches = new TreeMap<>(other.switches);
    bothSwitches.putAll(switches);
    return new BuildPort(bothChanges, bothAdded, bothSwitches);
  }

  /** Returns whether a ported build file compiles relocatable device code. */
  public boolean isRelocatable() {
    return changes.values().stream()
        .map(c -> c.edits().apply(c.file().bytes()))
        .anyMatch(b -> new String(b, StandardCharsets.ISO_8859_1).contains("-fgpu-rdc"));
  }

  public BuildPort {
    changes = Collections.unmodifiableSortedMap(changes);
    added = Collections.unmodifiableSortedMap(added);
    switches = Collections.unmodifiableSortedMap(switches);
  }
}
