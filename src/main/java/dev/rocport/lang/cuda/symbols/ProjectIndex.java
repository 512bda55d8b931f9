package dev.rocport.lang.cuda.symbols;

import dev.rocport.rules.PortOptions;
import dev.rocport.warp.WarpModel;
import dev.rocport.warp.WarpScan;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names and headers that a project itself declares. Immutable, and the same for every file of a
 * run.
 */
public final class ProjectIndex {
  public static final ProjectIndex EMPTY =
      new ProjectIndex(
          Set.of(),
          Map.of(),
          Set.of(),
          Map.of(),
          Set.of(),
          Set.of(),
          new TreeSet<>(),
          ProjectCommands.NONE,
          Map.of(),
          MpiCalls.NONE,
          WarpModel.NONE,
          Map.of());

  private final Set<String> declared;
  private final Map<String, Set<String>> scopes;
  private final Set<String> textures;

  /** Members that are device pointers, by the path of the file that declares them. */
  private final Map<String, List<String>> pointers;

  private final Set<String> paths;

  /** Paths from the tree's root only. */
  private final Set<String> files;

  private final SortedSet<String> used;
  private final ProjectCommands commands;
  private final Map<String, String> switches;
  private final MpiCalls mpi;
  private final WarpModel warps;

  /** The warp facts of each file, by path. */
  private final Map<String, WarpScan> warpScans;

  private ProjectIndex(
      Set<String> declared,
      Map<String, Set<String>> scopes,
      Set<String> textures,
      Map<String, List<String>> pointers,
      Set<String> paths,
      Set<String> files,
      SortedSet<String> used,
      ProjectCommands commands,
      Map<String, String> switches,
      MpiCalls mpi,
      WarpModel warps,
      Map<String, WarpScan> warpScans) {
    this.declared = declared;
    this.scopes = scopes;
    this.textures = textures;
    this.pointers = pointers;
    this.paths = paths;
    this.files = files;
    this.commands = commands;
    this.switches = switches;
    this.mpi = mpi;
    this.warps = warps;
    this.warpScans = warpScans;
    this.used = Collections.unmodifiableSortedSet(used);
  }

  /**
   * What one file adds to the index.
   *
   * @param path relative to the tree's root, with {@code /}
   * @param declared names in the form of a CUDA name that the file declares, sorted
   * @param scoped CUDA names that a class or namespace also has, as {@code scope::name}, sorted
   * @param textures names of texture and surface references that the file declares, and templates
   *     of its own that are called so, sorted
   * @param pointers members of its classes that are {@code CUdeviceptr}, as {@code Class::name}, or
   *     hold some, as {@code Class::name[]}, sorted
   * @param used API names that the file uses, sorted; needed by single-source ports only
   * @param calls what functions call, where that may lead to MPI: see {@link MpiCalls}
   * @param warps the warp facts of the file
   */
  public record Scan(
      String path,
      List<String> declared,
      List<String> scoped,
      List<String> textures,
      List<String> pointers,
      List<String> used,
      List<String> calls,
      WarpScan warps) {
    /** The same with the names that the file uses. */
    public Scan using(List<String> names) {
      return new Scan(path, declared, scoped, textures, pointers, names, calls, warps);
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
    Set<String> declared = new TreeSet<>();
    Map<String, Set<String>> scopes = new TreeMap<>();
    Set<String> textures = new TreeSet<>();
    Map<String, List<String>> pointers = new TreeMap<>();
    Set<String> paths = new TreeSet<>();
    Set<String> files = new TreeSet<>();
    SortedSet<String> used = new TreeSet<>();
    for (Scan scan : scans) {
      declared.addAll(scan.declared());
      textures.addAll(scan.textures());
      if (!scan.pointers().isEmpty()) {
        pointers.put(scan.path(), scan.pointers());
      }
      used.addAll(scan.used());
      for (String s : scan.scoped()) {
        int colon = s.indexOf("::");
        scopes
            .computeIfAbsent(s.substring(colon + 2), k -> new TreeSet<>())
            .add(s.substring(0, colon));
      }
      String path = scan.path();
      paths.add(path);
      files.add(path);
      for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
        paths.add(path.substring(slash + 1));
      }
    }
    return new ProjectIndex(
        Set.copyOf(declared),
        scopes,
        Set.copyOf(textures),
        pointers,
        Set.copyOf(paths),
        Set.copyOf(files),
        used,
        commands,
        Map.of(),
        MpiCalls.of(scans.stream().flatMap(s -> s.calls().stream()).toList()),
        WarpModel.of(scans.stream().map(Scan::warps).toList(), warp),
        scans.stream().collect(Collectors.toMap(Scan::path, Scan::warps, (a, b) -> b)));
  }

  /** The same where the project's build defines these macros. */
  public ProjectIndex with(Map<String, String> buildSwitches) {
    return new ProjectIndex(
        declared,
        scopes,
        textures,
        pointers,
        paths,
        files,
        used,
        commands,
        buildSwitches,
        mpi,
        warps,
        warpScans);
  }

  /**
   * Macros that the project's build defines where it uses CUDA, and what it defines in their place
   * where it uses ROCm.
   */
  public Map<String, String> switches() {
    return switches;
  }

  /** True if some file of the project calls MPI or includes its header. */
  public boolean usesMpi() {
    return mpi.isUsed();
  }

  /** True if what calls this function calls MPI, too, as far as it can be seen. */
  public boolean handsToMpi(String function) {
    return mpi.handsTo().contains(function);
  }

  /** The functions of other files on which the port of a file depends. */
  public String mpiKey() {
    return mpi.toString();
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
    return warpScans.get(path);
  }

  /** Names in the form of a CUDA name that the project declares itself. */
  public Set<String> declared() {
    return declared;
  }

  /** Classes and namespaces of the project that have something of this CUDA name; mostly none. */
  public Set<String> scopesOf(String name) {
    return scopes.getOrDefault(name, Set.of());
  }

  /** Names of texture and surface references that the project declares; mostly none. */
  public Set<String> textures() {
    return textures;
  }

  public boolean hasPointers() {
    return !pointers.isEmpty();
  }

  /**
   * What the header after an include declares as device pointers, see {@link Scan#pointers}; none
   * where it is not clear which file is meant.
   */
  public List<String> pointers(String from, String include) {
    int slash = from.lastIndexOf('/');
    List<String> beside = pointers.get(joined(slash < 0 ? "" : from.substring(0, slash), include));
    if (beside != null) {
      return beside;
    }
    List<String> known = pointers.keySet().stream().filter(p -> ends(p, include)).toList();
    boolean clear = known.size() == 1 && files.stream().filter(p -> ends(p, include)).count() == 1;
    return clear ? pointers.getOrDefault(known.getFirst(), List.of()) : List.of();
  }

  private static boolean ends(String path, String include) {
    return path.equals(include) || path.endsWith("/" + include);
  }

  /** Names of the API that the project uses, as far as the scans show. */
  public SortedSet<String> used() {
    return used;
  }

  /** What the project's commands say. */
  public ProjectCommands commands() {
    return commands;
  }

  /**
   * True if an include of this path in a file can mean a file of the project: by the folders that
   * the file's command names, or whatever the folders where its command is not known. A file does
   * not mean itself: a project's {@code compat/cuda.h} that includes {@code <cuda.h>} means CUDA's.
   */
  public boolean hasHeader(String from, String path) {
    ProjectCommands.Unit unit = commands.units().get(from);
    if (unit == null) {
      return hasHeaderOtherThan(from, path);
    }
    int slash = from.lastIndexOf('/');
    return files.contains(joined(slash < 0 ? "" : from.substring(0, slash), path))
        || unit.folders().stream().anyMatch(f -> files.contains(joined(f, path)));
  }

  /** The path of an include searched in a folder; {@code ..} that leads out of the tree stays. */
  private static String joined(String folder, String path) {
    Deque<String> parts = new ArrayDeque<>();
    for (String part : (folder + "/" + path).split("/")) {
      if (part.equals("..") && !parts.isEmpty() && !parts.getLast().equals("..")) {
        parts.removeLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    return String.join("/", parts);
  }

  private boolean hasHeaderOtherThan(String from, String path) {
    String p = path;
    while (p.startsWith("./") || p.startsWith("../")) {
      p = p.substring(p.indexOf('/') + 1);
    }
    String name = p;
    return paths.contains(name)
        && (!ends(from, name) || files.stream().anyMatch(f -> !f.equals(from) && ends(f, name)));
  }
}
