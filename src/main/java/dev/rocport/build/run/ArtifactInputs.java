package dev.rocport.build.run;

import dev.rocport.build.compile.Compilation;
import dev.rocport.build.unit.Artifact;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Inputs of one artifact of a plan.
 *
 * @param files objects and libraries, in link order
 * @param sources paths of the sources
 * @param failed sources that did not compile
 * @param uses names of artifacts that must be linked before it
 * @param relocatable whether device code is linked across units
 * @param flags flags of the artifact and of the artifacts that it uses
 */
record ArtifactInputs(
    List<Path> files,
    List<String> sources,
    List<String> failed,
    List<String> uses,
    boolean relocatable,
    List<String> flags) {

  static ArtifactInputs of(
      Artifact artifact, Map<String, Artifact> byName, Map<Path, Compilation> byObject) {
    Set<Path> files = new LinkedHashSet<>();
    List<String> sources = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    boolean rdc = add(artifact, byObject, files, sources, failed);
    List<String> flags = new ArrayList<>(artifact.flags());
    Set<String> uses = new LinkedHashSet<>();
    if (artifact.kind() != Artifact.Kind.STATIC) {
      closure(artifact, byName, uses);
      for (String name : uses) {
        Artifact used = byName.get(name);
        if (used == null) {
          continue;
        }
        boolean usedRdc = relocatable(used, byObject);
        if (used.kind() == Artifact.Kind.STATIC && usedRdc) {
          // The device link does not read archives, so their objects are passed.
          rdc |= add(used, byObject, files, sources, failed);
        } else {
          files.add(used.output());
        }
        if (used.kind() == Artifact.Kind.STATIC) {
          flags.addAll(used.flags());
        } else {
          flags.add("-Wl,-rpath," + used.output().getParent());
        }
      }
    }
    return new ArtifactInputs(List.copyOf(files), sources, failed, List.copyOf(uses), rdc, flags);
  }

  private static boolean add(
      Artifact artifact,
      Map<Path, Compilation> byObject,
      Set<Path> files,
      List<String> sources,
      List<String> failed) {
    for (Path object : artifact.objects()) {
      files.add(object);
      Compilation c = byObject.get(object);
      if (c != null) {
        sources.add(c.unit().path());
        if (!c.ok()) {
          failed.add(c.unit().path());
        }
      }
    }
    return relocatable(artifact, byObject);
  }

  private static boolean relocatable(Artifact artifact, Map<Path, Compilation> byObject) {
    return artifact.objects().stream()
        .anyMatch(
            o -> {
              Compilation c = byObject.get(o);
              return c != null && c.unit().relocatable();
            });
  }

  private static void closure(Artifact from, Map<String, Artifact> byName, Set<String> all) {
    for (String name : from.uses()) {
      Artifact used = byName.get(name);
      if (used != null) {
        // Moves a library to the end, after everything that needs it.
        all.remove(name);
        all.add(name);
        if (used.kind() == Artifact.Kind.STATIC) {
          closure(used, byName, all);
        }
      }
    }
  }
}
