package dev.rocport.lang.cuda.symbols;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the files of a project declare together.
 *
 * @param pointers members that are device pointers, by the path of the file that declares them
 * @param companions names that translation units with a file take from companions of CUDA headers,
 *     by its path
 * @param ends the paths of the files, and what is left of them without folders at the beginning
 */
record ProjectNames(
    Set<String> unknown,
    Visibility own,
    Set<String> textures,
    Set<String> shared,
    Map<String, List<String>> pointers,
    Map<String, Set<String>> companions,
    Set<String> ends,
    Includes files,
    SortedSet<String> used,
    ProjectCommands commands,
    MpiCalls mpi) {
  static final ProjectNames NONE =
      new ProjectNames(
          Set.of(),
          Visibility.NONE,
          Set.of(),
          Set.of(),
          Map.of(),
          Map.of(),
          Set.of(),
          new Includes(Set.of(), ProjectCommands.NONE),
          new TreeSet<>(),
          ProjectCommands.NONE,
          MpiCalls.NONE);

  ProjectNames {
    used = Collections.unmodifiableSortedSet(used);
  }

  /** Returns what they declare after a change of files. */
  ProjectNames after(ProjectIndex.Change change, ProjectCommands newCommands) {
    KeptParts parts = new KeptParts(change, commands.equals(newCommands));
    boolean sameFiles = parts.sameFiles();
    Set<String> paths = sameFiles ? Set.of() : paths(change.all().get());
    Includes includes = sameFiles ? files : new Includes(paths, newCommands);
    return new ProjectNames(
        parts.names(Scan::unknown, unknown),
        parts.isKept(Scan::includes) && parts.isKept(Scan::definitions)
            ? own
            : Visibility.of(change.all().get(), includes),
        parts.names(Scan::textures, textures),
        parts.names(Scan::shared, shared),
        parts.isKept(Scan::pointers) ? pointers : pointers(change.all().get()),
        parts.isKept(Scan::includes) && parts.isKept(Scan::companions)
            ? companions
            : Companions.of(change.all().get(), includes),
        sameFiles ? ends : ends(paths),
        includes,
        parts.isKept(Scan::used) ? used : new TreeSet<>(parts.names(Scan::used, used)),
        newCommands,
        parts.mpi(mpi));
  }

  void write(PackedWriter out) {
    out.list(unknown, out::text);
    own.write(out);
    out.list(textures, out::text);
    out.list(shared, out::text);
    out.map(pointers, (List<String> members) -> out.list(members, out::text));
    out.map(companions, (Set<String> names) -> out.list(names, out::text));
    files.write(out);
    out.list(used, out::text);
    mpi.write(out);
  }

  /**
   * Reads it again.
   *
   * @param commands the commands of what was written
   */
  static ProjectNames read(PackedReader in, ProjectCommands commands) {
    Set<String> unknown = Set.copyOf(in.list(in::text));
    Visibility own = Visibility.read(in);
    Set<String> textures = Set.copyOf(in.list(in::text));
    Set<String> shared = Set.copyOf(in.list(in::text));
    Map<String, List<String>> pointers = in.map(() -> in.list(in::text));
    Map<String, Set<String>> companions = in.map(() -> Visibility.names(in));
    List<String> paths = in.list(in::text);
    return new ProjectNames(
        unknown,
        own,
        textures,
        shared,
        pointers,
        companions,
        ends(paths),
        new Includes(paths, commands),
        new TreeSet<>(in.list(in::text)),
        commands,
        MpiCalls.read(in));
  }

  private static Map<String, List<String>> pointers(Collection<Scan> scans) {
    Map<String, List<String>> pointers = new TreeMap<>();
    for (Scan scan : scans) {
      if (!scan.pointers().isEmpty()) {
        pointers.put(scan.path(), scan.pointers());
      }
    }
    return pointers;
  }

  /**
   * Returns the paths of the files of the project: includes of copies of the toolkit mean the
   * toolkit.
   */
  private static Set<String> paths(Collection<Scan> scans) {
    return scans.stream()
        .filter(s -> !s.isToolkit())
        .map(Scan::path)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the paths, and what is left of them without folders at the beginning. */
  private static Set<String> ends(Collection<String> all) {
    Set<String> ends = new HashSet<>(all);
    for (String path : all) {
      for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
        ends.add(path.substring(slash + 1));
      }
    }
    return ends;
  }
}
