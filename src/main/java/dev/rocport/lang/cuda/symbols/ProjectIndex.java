package dev.rocport.lang.cuda.symbols;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.rules.PortOptions;
import dev.rocport.warp.WarpModel;
import dev.rocport.warp.WarpScan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The names and headers that a project itself declares. Immutable, and the same for every file of a
 * run.
 */
public final class ProjectIndex {
  public static final ProjectIndex EMPTY = of(ProjectNames.NONE);

  private final ProjectNames names;
  private final Map<String, String> switches;
  private final boolean relocatable;
  private final WarpModel warps;

  /** The facts of each file, by path; none if it follows from evidence of an earlier run. */
  private final SortedMap<String, Scan> scans;

  private final Function<String, @Nullable Scan> facts;

  private final boolean looksAtTrees;

  /** Null until it is asked for. */
  private volatile @Nullable SortedSet<String> initializedClasses;

  private ProjectIndex(
      ProjectNames names,
      Map<String, String> switches,
      boolean relocatable,
      WarpModel warps,
      SortedMap<String, Scan> scans,
      Function<String, @Nullable Scan> facts,
      boolean looksAtTrees) {
    this.names = names;
    this.switches = switches;
    this.relocatable = relocatable;
    this.warps = warps;
    this.scans = scans;
    this.facts = facts;
    this.looksAtTrees = looksAtTrees;
  }

  private static ProjectIndex of(ProjectNames names) {
    return new ProjectIndex(
        names, Map.of(), false, WarpModel.NONE, new TreeMap<>(), path -> null, true);
  }

  /**
   * What one file adds to the index.
   *
   * @param path relative to the tree's root, with {@code /}
   * @param isToolkit whether the file is a copy of a header of the CUDA toolkit, which is not part
   *     of the project
   * @param includes the paths in its include directives, in source order; empty for a macro
   * @param unknown names that the file declares and that only look like those of CUDA, and macros
   *     for the version of a CUDA library that it defines, sorted
   * @param definitions definitions of CUDA names, in source order
   * @param textures names of texture and surface references that the file declares, sorted
   * @param shared entries of {@link SharedNames}, sorted
   * @param companions names from headers that CUDA headers include, sorted
   * @param pointers members of its classes that are {@code CUdeviceptr}, as {@code Class::name}, or
   *     hold some, as {@code Class::name[]}, sorted
   * @param used API names that the file uses, sorted; needed by single-source ports only
   * @param calls what functions call, where that may lead to MPI: see {@link MpiCalls}
   * @param warps the warp facts of the file
   */
  public record Scan(
      String path,
      boolean isToolkit,
      List<String> includes,
      List<String> unknown,
      List<Definition> definitions,
      List<String> textures,
      List<String> shared,
      List<String> companions,
      List<String> pointers,
      List<String> used,
      List<String> calls,
      WarpScan warps) {
    /** The same with the names that the file uses. */
    public Scan using(List<String> names) {
      return new Scan(
          path,
          isToolkit,
          includes,
          unknown,
          definitions,
          textures,
          shared,
          companions,
          pointers,
          names,
          calls,
          warps);
    }

    /** The same with these facts about warps. */
    public Scan with(WarpScan other) {
      return new Scan(
          path,
          isToolkit,
          includes,
          unknown,
          definitions,
          textures,
          shared,
          companions,
          pointers,
          used,
          calls,
          other);
    }

    /** Writes the facts for {@link #read}. */
    public void write(PackedWriter out) {
      writeDeclarations(out);
      warps.write(out);
    }

    /** Writes all but those about warps for {@link #readDeclarations}. */
    public void writeDeclarations(PackedWriter out) {
      out.text(path);
      out.flag(isToolkit);
      out.list(includes, out::text);
      out.list(unknown, out::text);
      out.list(
          definitions,
          d -> {
            out.text(d.name());
            out.number(d.includes());
            out.constant(d.reach());
          });
      out.list(textures, out::text);
      out.list(shared, out::text);
      out.list(companions, out::text);
      out.list(pointers, out::text);
      out.list(used, out::text);
      out.list(calls, out::text);
    }

    /** Reads the same facts again. */
    public static Scan read(PackedReader in) {
      Scan declarations = readDeclarations(in);
      return declarations.with(WarpScan.read(in));
    }

    /** Reads the same facts again, with none about warps. */
    public static Scan readDeclarations(PackedReader in) {
      String path = in.text();
      return new Scan(
          path,
          in.flag(),
          in.list(in::text),
          in.list(in::text),
          in.list(
              () -> new Definition(in.text(), in.integer(), in.constant(Definition.Reach.class))),
          in.list(in::text),
          in.list(in::text),
          in.list(in::text),
          in.list(in::text),
          in.list(in::text),
          in.list(in::text),
          WarpScan.none(path));
    }
  }

  public static ProjectIndex of(Collection<Scan> scans) {
    return of(scans, ProjectCommands.NONE, PortOptions.Warp.AUTO);
  }

  /**
   * The same for a project whose compiler commands are known.
   *
   * @param warp how warp code is ported
   */
  public static ProjectIndex of(
      Collection<Scan> scans, ProjectCommands commands, PortOptions.Warp warp) {
    WarpModel warps = WarpModel.of(scans.stream().map(Scan::warps).toList(), warp);
    return EMPTY.after(scans, commands, warps);
  }

  /**
   * The index after a change of files. What does not depend on a change is kept: a file whose facts
   * are the same object has not changed.
   *
   * @param now the facts of all files
   * @param decided the decisions about their warp code
   */
  @SuppressWarnings("ReferenceEquality") // equal facts of a changed file would only cost time
  public ProjectIndex after(Collection<Scan> now, ProjectCommands newCommands, WarpModel decided) {
    NavigableMap<String, Scan> all = new TreeMap<>();
    now.forEach(s -> all.put(s.path(), s));
    boolean sameFiles = !scans.isEmpty() && scans.keySet().equals(all.keySet());
    List<Scan> before = new ArrayList<>();
    SortedMap<String, Scan> changed = new TreeMap<>();
    if (sameFiles) {
      all.forEach(
          (path, scan) -> {
            Scan known = scans.get(path);
            if (known != null && known != scan) {
              before.add(known);
              changed.put(path, scan);
            }
          });
    }
    Change change = new Change(before, changed, sameFiles, all::values, all::get);
    return after(change, newCommands, decided, all);
  }

  /**
   * A change of files.
   *
   * @param before the facts of files that have changed, as they were
   * @param now the same as they are, by path
   * @param sameFiles whether the project has the same files as before; if not, the facts of single
   *     files do not matter
   * @param all gives the facts of all files as they are now, perhaps without those about warps
   * @param facts gives all facts of a file by its path; null for files without any
   */
  public record Change(
      List<Scan> before,
      SortedMap<String, Scan> now,
      boolean sameFiles,
      Supplier<Collection<Scan>> all,
      Function<String, @Nullable Scan> facts) {}

  /**
   * The index after a change of files.
   *
   * @param decided the decisions about the warp code of the project
   */
  public ProjectIndex after(Change change, ProjectCommands newCommands, WarpModel decided) {
    return after(change, newCommands, decided, new TreeMap<>());
  }

  private ProjectIndex after(
      Change change, ProjectCommands newCommands, WarpModel decided, SortedMap<String, Scan> all) {
    return new ProjectIndex(
        names.after(change, newCommands), Map.of(), false, decided, all, change.facts(), true);
  }

  /** Writes what the files declare together for {@link #read}. */
  public void write(PackedWriter out) {
    names.write(out);
  }

  /**
   * Reads it again. What else belongs to an index follows from {@link #after(Change,
   * ProjectCommands, WarpModel)}.
   *
   * @param commands the commands of the index that was written
   */
  public static ProjectIndex read(PackedReader in, ProjectCommands commands) {
    return of(ProjectNames.read(in, commands));
  }

  /**
   * The same where the project's build defines these macros.
   *
   * @param relocatable whether the build compiles relocatable device code
   */
  public ProjectIndex with(Map<String, String> buildSwitches, boolean relocatable) {
    return with(buildSwitches, relocatable, looksAtTrees);
  }

  /** The same for ports that look at tokens only, which leaves out the analyses of warp code. */
  public ProjectIndex withoutTrees() {
    return with(switches, relocatable, false);
  }

  /** True if ports look at the syntax trees of files, as all but previews do. */
  public boolean looksAtTrees() {
    return looksAtTrees;
  }

  private ProjectIndex with(
      Map<String, String> buildSwitches, boolean withRelocatable, boolean withTrees) {
    return new ProjectIndex(names, buildSwitches, withRelocatable, warps, scans, facts, withTrees);
  }

  /**
   * Macros that the project's build defines where it uses CUDA, and what it defines in their place
   * where it uses ROCm.
   */
  public Map<String, String> switches() {
    return switches;
  }

  /** True if the project's build compiles relocatable device code. */
  public boolean isRelocatable() {
    return relocatable;
  }

  /** True if some file with MPI calls a function of the project. */
  public boolean usesMpi() {
    return !names.mpi().near().isEmpty();
  }

  /** True if a file with MPI calls this function. */
  public boolean isNearMpi(String function) {
    return names.mpi().near().contains(function);
  }

  /** True if what calls this function calls MPI, too, as far as it can be seen. */
  public boolean handsToMpi(String function) {
    return names.mpi().handsTo().contains(function);
  }

  /** The functions of other files on which the port of a file depends. */
  public String mpiKey() {
    return names.mpi().toString();
  }

  /** The decisions about the warp code of the project. */
  public WarpModel warps() {
    return warps;
  }

  /** The warp code of other files on which the port of a file depends. */
  public String warpKey() {
    return warps.key();
  }

  /** The warp facts of a file; null for files that are not in the index. */
  public @Nullable WarpScan warpScan(String path) {
    Scan scan = facts.apply(path);
    return scan == null ? null : scan.warps();
  }

  /**
   * True if some file of the project declares this name, which CUDA does not have or is a macro for
   * the version of a CUDA library.
   */
  public boolean declaresUnknown(String name) {
    return names.unknown().contains(name);
  }

  /**
   * The CUDA names that have a meaning of their own in a file, since it sees a definition of the
   * project; those of a class or namespace as {@code scope::name}. Mostly none.
   */
  public Set<String> ownNames(String path) {
    return names.own().in(path);
  }

  /** Those among them that are names of CUDA where another file includes this one. */
  public Set<String> mixedNames(String path) {
    return names.own().mixedIn(path);
  }

  /** True if some file of the project, one of its classes or namespaces has this CUDA name. */
  public boolean hasOwn(String name) {
    return names.unknown().contains(name) || names.own().isAnywhere(name);
  }

  /** Names of texture and surface references that the project declares; mostly none. */
  public Set<String> textures() {
    return names.textures();
  }

  /** The entries of {@link SharedNames} of all files. */
  public Set<String> shared() {
    return names.shared();
  }

  /** Names of classes whose members have initializers, also those of aliases. */
  public SortedSet<String> initializedClasses() {
    SortedSet<String> known = initializedClasses;
    if (known == null) {
      known = InitializedClasses.names(shared());
      initializedClasses = known;
    }
    return known;
  }

  public boolean hasPointers() {
    return !names.pointers().isEmpty();
  }

  /**
   * What the header after an include declares as device pointers, see {@link Scan#pointers}; none
   * where it is not clear which file is meant.
   */
  public List<String> pointers(String from, String include) {
    List<String> meant = names.files().of(from, include);
    return meant.size() == 1
        ? names.pointers().getOrDefault(meant.getFirst(), List.of())
        : List.of();
  }

  /** Names from companions of CUDA headers in the translation units with this file. */
  public Set<String> companions(String path) {
    return names.companions().getOrDefault(path, Set.of());
  }

  /** Names of the API that the project uses, as far as the scans show. */
  public SortedSet<String> used() {
    return names.used();
  }

  /** What the project's commands say. */
  public ProjectCommands commands() {
    return names.commands();
  }

  /** True if a file with this path can be compiled in its own right. */
  public static boolean isUnit(String path) {
    return Includes.isUnit(path);
  }

  /** Whether an include can mean a file of the project. */
  public enum Own {
    /** A file that the compiler finds from there. */
    YES,
    /** A file in a part of the tree that is hardly searched from there. */
    ELSEWHERE,
    NO
  }

  /**
   * Whether an include of this path in a file means a file of the project: by the folders that the
   * file's command names, or by where such a file is if its command is not known. A file does not
   * mean itself: a project's {@code compat/cuda.h} that includes {@code <cuda.h>} means CUDA's.
   */
  public Own header(String from, String path) {
    ProjectCommands.Unit unit = names.commands().units().get(from);
    String folder = Includes.folder(from);
    if (unit != null) {
      boolean found =
          names.files().isFile(Includes.joined(folder, path))
              || unit.folders().stream()
                  .anyMatch(f -> names.files().isFile(Includes.joined(f, path)));
      return found ? Own.YES : Own.NO;
    }
    String end = Includes.withoutDots(path);
    List<String> meant = names.ends().contains(end) ? names.files().of(from, end) : List.of();
    if (meant.isEmpty()) {
      return Own.NO;
    }
    return meant.stream().anyMatch(m -> Includes.isSearched(folder, m, end))
        ? Own.YES
        : Own.ELSEWHERE;
  }
}
