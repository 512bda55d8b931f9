package dev.rocport.build.plan;

import dev.rocport.build.link.LinkResolver;
import dev.rocport.build.link.MpiFlags;
import dev.rocport.build.unit.Artifact;
import dev.rocport.build.unit.Artifact.Kind;
import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

/** Plans a tree without build files: every source is a unit, and symbols determine the programs. */
public final class PlainPlanner {
  private final BuildOptions options;
  private final TreeScan scan;
  private final IncludeFinder finder;
  private final MpiFlags mpi;

  /**
   * @param isForeign whether the compiler finds a header without flags
   * @param mpi flags for all units and programs, if the tree uses MPI
   */
  public PlainPlanner(
      BuildOptions options, TreeScan scan, Predicate<String> isForeign, MpiFlags mpi) {
    this.mpi = mpi;
    this.options = options;
    this.scan = scan;
    this.finder = new IncludeFinder(scan.files(), isForeign);
  }

  public BuildPlan plan() {
    return plan((unit, files) -> true);
  }

  /**
   * Plans a part of the units.
   *
   * @param wanted whether to compile a unit, which reads these files of the tree and its own
   */
  public BuildPlan plan(BiPredicate<String, Set<String>> wanted) {
    List<String> notes = new ArrayList<>(scan.notes());
    SortedMap<String, IncludeFinder.Found> sources = new TreeMap<>();
    for (String path : scan.files().keySet()) {
      if (Language.ofFile(path).isPresent()) {
        sources.put(path, finder.follow(path));
      }
    }
    Map<String, String> includedBy = new HashMap<>();
    sources.forEach((path, found) -> found.reached().forEach(r -> includedBy.put(r, path)));
    List<Unit> units = new ArrayList<>();
    Set<String> seenNotes = new LinkedHashSet<>();
    sources.forEach(
        (path, found) -> {
          String by = includedBy.get(path);
          if (by != null && !by.equals(path)) {
            seenNotes.add(
                "%s is included by %s and is not compiled separately".formatted(path, by));
          } else if (wanted.test(path, found.reached())) {
            units.add(unit(path, found));
            seenNotes.addAll(found.notes());
          }
        });
    notes.addAll(seenNotes);
    List<String> flags = new ArrayList<>(libraryFlags(options.libraries()));
    flags.addAll(mpi.link());
    return new BuildPlan("plain", units, List.of(), true, flags, notes);
  }

  private Unit unit(String path, IncludeFinder.Found found) {
    Language language = Language.ofFile(path).orElseThrow();
    ScannedFile file = scan.files().get(path);
    if (language == Language.CXX && file != null && file.device()) {
      language = Language.HIP;
    }
    List<String> arguments = new ArrayList<>();
    if (language != Language.C) {
      arguments.add("-std=" + options.standard().orElse("gnu++17"));
    }
    arguments.add("-O2");
    options.defines().forEach(d -> arguments.add("-D" + d));
    options.includes().forEach(i -> arguments.add("-I" + relative(i)));
    found.quoted().forEach(f -> arguments.addAll(List.of("-iquote", f.isEmpty() ? "." : f)));
    found.all().forEach(f -> arguments.add("-I" + (f.isEmpty() ? "." : f)));
    arguments.addAll(mpi.compile());
    return new Unit(
        path,
        path,
        options.root(),
        language,
        arguments,
        options.relocatable() && language == Language.HIP,
        objectFor(options.out(), path));
  }

  /** Returns folders in the tree relative to its root, so that objects are valid for any copy. */
  private String relative(Path folder) {
    Path whole = folder.toAbsolutePath().normalize();
    if (!whole.startsWith(options.root())) {
      return whole.toString();
    }
    String inside = options.root().relativize(whole).toString();
    return inside.isEmpty() ? "." : inside;
  }

  static Path objectFor(Path out, String source) {
    return out.resolve("obj").resolve(source + ".o");
  }

  static List<String> libraryFlags(List<String> libraries) {
    return libraries.stream()
        .map(l -> l.contains("/") || l.startsWith("-") ? l : "-l" + l)
        .toList();
  }

  /**
   * Returns the programs of compiled objects, each with the libraries that its symbols need.
   *
   * @param programs programs that the symbols determine
   * @param objects the object of each source
   * @param flags link flags of a program by its undefined symbols
   */
  public static List<Artifact> artifacts(
      List<LinkResolver.Program> programs,
      Map<String, Path> objects,
      Function<LinkResolver.Program, List<String>> flags,
      Path out) {
    Map<String, Integer> uses = new HashMap<>();
    programs.forEach(p -> uses.merge(baseName(p.main()), 1, Integer::sum));
    List<Artifact> artifacts = new ArrayList<>();
    for (LinkResolver.Program p : programs) {
      String base = baseName(p.main());
      boolean only = Optional.ofNullable(uses.get(base)).orElse(0) == 1;
      // Programs with the same name are placed in the folders of their sources.
      String name = only ? base : p.main().substring(0, p.main().lastIndexOf('.'));
      List<Path> inputs = new ArrayList<>();
      for (String source : p.needed()) {
        inputs.add(objects.getOrDefault(source, objectFor(out, source)));
      }
      Path output = out.resolve("bin").resolve(name);
      artifacts.add(new Artifact(name, Kind.EXECUTABLE, output, inputs, List.of(), flags.apply(p)));
    }
    return artifacts;
  }

  private static String baseName(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.substring(0, name.lastIndexOf('.'));
  }
}
