package dev.rocport.port;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.InvalidFileException;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.io.PathText;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A tree whose files several processes process, each a part of them; the results are those of one
 * run over all files. Each step reads what the steps before it have left in a folder:
 *
 * <pre>
 * plan        the files and the parts
 * facts-N     the facts of the sources of a part
 * evidence    what all sources declare together
 * join        what the build files mean for sources, and their own results
 * files-N     the results of the other files of a part
 * </pre>
 *
 * <p>Nothing is written into the tree, so this is for audits. A file must not change between the
 * steps; the caller makes sure of that.
 */
public final class TreeInParts {
  private final Path folder;
  private final Porter porter;
  private final Workers workers;
  private final SourceTree tree;
  private final TreeFacts facts;

  /** All files, with what the tree tells about them. */
  private final List<TreeEntry> entries;

  /** The first file of each part. */
  private final List<Integer> starts;

  /** What the build files mean for sources. */
  private record Built(Map<String, String> switches, boolean relocatable, Found results) {}

  /**
   * Found of files.
   *
   * @param files in order of the path
   * @param notes what else the caller needs to know of the files
   */
  public record Found(List<FileResult> files, List<String> notes) {
    public Found {
      files = List.copyOf(files);
      notes = List.copyOf(notes);
    }

    private void write(PackedWriter out) {
      out.list(files, f -> PackedResult.write(f, out));
      out.list(notes, out::text);
    }

    private static Found read(PackedReader in) {
      return new Found(in.list(() -> PackedResult.read(in)), in.list(in::text));
    }
  }

  private TreeInParts(
      Path folder,
      RuleCatalog catalog,
      Porter porter,
      int jobs,
      SourceTree tree,
      List<Integer> starts) {
    this.folder = folder;
    this.porter = porter;
    this.workers = new Workers(jobs);
    this.tree = tree;
    this.facts = TreeFacts.of(catalog, tree);
    this.entries = tree.entries().stream().map(facts::entry).toList();
    this.starts = starts;
  }

  /**
   * Divides the files of a tree: each part has the files that follow each other in order of the
   * path.
   *
   * @param folder receives the plan
   * @param size bytes of the files of a part; a file is never divided
   * @return number of parts
   */
  public static int plan(Path folder, Porter porter, SourceTree tree, long size)
      throws IOException {
    List<Integer> starts = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < tree.entries().size(); i++) {
      if (i == 0 || bytes >= size) {
        starts.add(i);
        bytes = 0;
      }
      bytes += tree.entries().get(i).size();
    }
    write(
        folder,
        "plan",
        out -> {
          out.text(porter.partsKey());
          out.list(
              tree.entries(),
              e -> {
                out.text(e.path());
                out.constant(e.kind());
                out.text(e.language());
                out.number(e.size());
                out.text(e.note());
              });
          out.list(starts, n -> out.number(n));
        });
    return starts.size();
  }

  /**
   * Opens a tree that was divided.
   *
   * @param folder has the plan
   * @param jobs number of threads
   * @throws InvalidFileException if there is no plan for these rules and options
   */
  public static TreeInParts open(
      Path folder, RuleCatalog catalog, Porter porter, Path root, int jobs) {
    PackedReader in = reader(folder, "plan");
    if (!in.text().equals(porter.partsKey())) {
      throw new InvalidFileException(folder + ": made by another rocport, or with other options");
    }
    List<TreeEntry> entries =
        in.list(
            () -> {
              String path = in.text();
              return new TreeEntry(
                  PathText.resolve(root, path),
                  path,
                  in.constant(FileKind.class),
                  in.text(),
                  in.number(),
                  in.text());
            });
    SourceTree tree = new SourceTree(root, entries, List.of());
    return new TreeInParts(folder, catalog, porter, jobs, tree, in.list(in::integer));
  }

  /** Returns the files of all parts. */
  public SourceTree tree() {
    return tree;
  }

  /** Returns the files of a part. */
  public SourceTree part(int part) {
    return new SourceTree(tree.root(), tree.entries().subList(first(part), end(part)), List.of());
  }

  private int first(int part) {
    if (part < 0 || part >= starts.size()) {
      throw new InvalidFileException(
          "%s: has %d parts and none with the number %d".formatted(folder, starts.size(), part));
    }
    return starts.get(part);
  }

  private int end(int part) {
    return part + 1 < starts.size() ? starts.get(part + 1) : entries.size();
  }

  /** Finds the facts of the sources of a part. */
  public void facts(int part) {
    ScanStore store = new ScanStore(TreeCache.ofPart(factsFile(part), tree.root()));
    List<TreeEntry> sources = sources(entries.subList(first(part), end(part)));
    if (porter.needsScans()) {
      workers.forEach(
          sources.size(), i -> porter.scanner().scan(sources.get(i), Target.NONE, store));
    }
    store.save();
  }

  private CacheFile factsFile(int part) {
    return new CacheFile(folder, "facts-" + part);
  }

  private static List<TreeEntry> sources(List<TreeEntry> entries) {
    return entries.stream().filter(TreeEntry::isSource).toList();
  }

  /**
   * Joins the facts of all parts, and ports the build files.
   *
   * @param notes tells what else the caller needs to know of them
   */
  public void join(Target target, Supplier<List<String>> notes) throws IOException {
    declared();
    BuildPort build = porter.builds(facts.files(entries, target));
    FilePorter.Context context =
        new FilePorter.Context(ProjectIndex.EMPTY, build, PythonProject.NONE);
    List<TreeEntry> files =
        entries.stream().filter(e -> build.changes().containsKey(e.path())).toList();
    List<FileResult> ported = results(files, e -> port(e, context, target));
    Found results = new Found(ported, notes.get());
    write(
        folder,
        "join",
        out -> {
          out.map(build.switches(), out::text);
          out.flag(build.isRelocatable());
          results.write(out);
        });
  }

  private ProjectIndex declared() {
    if (!porter.needsScans()) {
      return ProjectIndex.EMPTY;
    }
    SourceScanner.Kept kept =
        new SourceScanner.Kept(
            () ->
                new ScanStore(
                    TreeCache.ofParts(
                        IntStream.range(0, starts.size()).mapToObj(this::factsFile).toList(),
                        tree.root())),
            () -> TreeEvidence.ofAnySize(new CacheFile(folder, "evidence")));
    return porter
        .scanner()
        .declared(
            kept, sources(entries), facts.commands(), Target.NONE, ProgressListener.NONE, () -> {})
        .index();
  }

  /**
   * Finds the results of the files of a part, without those of build files.
   *
   * @param notes tells what else the caller needs to know, when all files are done
   */
  public void files(int part, Target target, Supplier<List<String>> notes) throws IOException {
    Built built = built();
    Set<String> own = new HashSet<>();
    built.results().files().forEach(f -> own.add(f.path()));
    List<TreeEntry> files =
        entries.subList(first(part), end(part)).stream()
            .filter(e -> !own.contains(e.path()))
            .toList();
    ProjectIndex index = declared().with(built.switches(), built.relocatable());
    // Only the ports of Python files need it.
    PythonProject packages =
        files.stream().anyMatch(e -> e.kind() == FileKind.PYTHON)
            ? porter.packages(entries, facts, target)
            : PythonProject.NONE;
    FilePorter.Context context = new FilePorter.Context(index, BuildPort.NONE, packages);
    List<FileResult> results =
        results(
            files,
            e ->
                porter.isPorted(e) ? port(e, context, target) : porter.passed(0, e, facts, target));
    Found all = new Found(results, notes.get());
    write(folder, "files-" + part, all::write);
  }

  private FileResult port(TreeEntry entry, FilePorter.Context context, Target target) {
    return porter.port(0, entry, context, target, PortStore.none());
  }

  private List<FileResult> results(List<TreeEntry> files, Function<TreeEntry, FileResult> work) {
    @Nullable FileResult[] results = new FileResult[files.size()];
    workers.forEach(results.length, i -> results[i] = work.apply(files.get(i)));
    return Arrays.stream(results).map(Objects::requireNonNull).toList();
  }

  private Built built() {
    PackedReader in = reader(folder, "join");
    return new Built(new TreeMap<>(in.map(in::text)), in.flag(), Found.read(in));
  }

  /** Returns the results of all files, with all notes; those of the parts are in their order. */
  public Found all() {
    Found build = built().results();
    List<FileResult> files = new ArrayList<>(build.files());
    List<String> notes = new ArrayList<>(build.notes());
    for (int i = 0; i < starts.size(); i++) {
      Found part = Found.read(reader(folder, "files-" + i));
      files.addAll(part.files());
      notes.addAll(part.notes());
    }
    if (files.size() != entries.size()) {
      throw new InvalidFileException(folder + ": a part has not the files of the plan");
    }
    files.sort(Comparator.comparing(FileResult::path));
    return new Found(files, notes);
  }

  private static void write(Path folder, String name, Consumer<PackedWriter> content)
      throws IOException {
    PackedWriter out = new PackedWriter();
    content.accept(out);
    new CacheFile(folder, name).write(out);
  }

  private static PackedReader reader(Path folder, String name) {
    try {
      return new CacheFile(folder, name)
          .packed()
          .orElseThrow(
              () -> new InvalidFileException(folder + ": the file '" + name + "' is damaged"));
    } catch (IOException e) {
      throw new InvalidFileException(folder + ": has no file '" + name + "' of a step before", e);
    }
  }
}
