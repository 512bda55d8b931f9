package dev.rocport.port;

import dev.rocport.buildsystem.BuildFiles;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Topic;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectCommands;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.java.JavaBuilds;
import dev.rocport.lang.ptx.find.PtxFiles;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.packaging.Packages;
import dev.rocport.port.ProgressListener.Phase;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.singlesource.CompatHeader;
import dev.rocport.singlesource.SingleSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Processes every file of a tree twice: first for its declarations, then to port it. Each file is
 * read when it is processed and released afterwards. A failure in one file is a result of that
 * file.
 */
public final class Porter {
  private final RuleCatalog catalog;
  private final PortOptions options;
  private final PortKey key;
  private final RenamedSources renamed;
  private final Workers workers;

  /** Only PTX rules are active: most files need no processing. */
  private final boolean onlyPtx;

  private final MemoryGate memory;
  private final CacheFile.Place caches;
  private final PtxFiles ptx;
  private final SourceScanner scanner;
  private @Nullable Engine engine;

  /**
   * What ports sources. It takes a while to create, so runs in which nothing has changed do
   * without.
   *
   * @param single set if the port is one tree for both platforms
   */
  private record Engine(CudaPorter cuda, @Nullable SingleSource single, FilePorter porter) {}

  /**
   * Creates a porter with these rules and options.
   *
   * @param jobs number of threads
   */
  public Porter(RuleCatalog catalog, PortOptions options, int jobs) {
    this(catalog, options, RenamedSources.NONE, jobs);
  }

  /** Creates a porter for a tree in which these sources get other names. */
  public Porter(RuleCatalog catalog, PortOptions options, RenamedSources renamed, int jobs) {
    this(catalog, options, renamed, jobs, Long.MAX_VALUE);
  }

  /**
   * Creates a porter with a size limit.
   *
   * @param largest size in bytes of the largest file that is ported
   */
  public Porter(
      RuleCatalog catalog, PortOptions options, RenamedSources renamed, int jobs, long largest) {
    this(
        catalog,
        options,
        new PortKey(catalog, options, renamed),
        renamed,
        jobs,
        MemoryGate.ofHeap(largest),
        CacheFile::of);
  }

  /**
   * The same with other limits and caches.
   *
   * @param caches gives the files that keep ports and facts about whole trees
   */
  Porter(
      RuleCatalog catalog,
      PortOptions options,
      PortKey key,
      RenamedSources renamed,
      int jobs,
      MemoryGate memory,
      CacheFile.Place caches) {
    this.caches = caches;
    this.catalog = catalog;
    this.options = options;
    this.key = key;
    this.renamed = renamed;
    this.workers = new Workers(jobs);
    this.onlyPtx = catalog.areOnly(options.filter(), Topic.PTX);
    this.memory = memory;
    this.ptx = new PtxFiles(catalog, options);
    this.scanner = new SourceScanner(key, memory, workers, warp(), this::scan);
  }

  private synchronized Engine engine() {
    Engine made = engine;
    if (made == null) {
      CudaPorter cuda = new CudaPorter(catalog, options);
      SingleSource single = isSingleSource() ? new SingleSource(cuda) : null;
      FilePorter porter = new FilePorter(catalog, cuda, options, single, renamed, ptx, onlyPtx);
      made = new Engine(cuda, single, porter);
      engine = made;
    }
    return made;
  }

  /** Returns the porter of C, C++ and CUDA sources. */
  public CudaPorter cuda() {
    return engine().cuda();
  }

  /** Ports all files of a tree; the results are in order of the path. */
  public List<FileResult> run(SourceTree tree, Target target, ProgressListener progress) {
    TreeFacts facts = TreeFacts.of(catalog, tree);
    List<TreeEntry> entries = tree.entries().stream().map(facts::entry).toList();
    List<FileResult> unchanged = unchanged(entries, facts, target);
    if (!unchanged.isEmpty()) {
      return unchanged;
    }
    Run run = new Run(tree.root(), entries, facts, target, progress);
    Optional<TreeRecord> record = record(run);
    List<FileResult> again = record.map(r -> again(run, r)).orElse(List.of());
    return again.isEmpty() ? anew(run, record) : again;
  }

  /** What stays the same during a run. */
  private record Run(
      Path root,
      List<TreeEntry> entries,
      TreeFacts facts,
      Target target,
      ProgressListener progress) {}

  /** Returns where facts about the tree as a whole are kept; empty if they are not. */
  private Optional<TreeRecord> record(Run run) {
    Target target = run.target();
    if (isSingleSource() || !target.wantsAll() || !target.readsDisk() || target.takesParts()) {
      return Optional.empty();
    }
    Instant start = Instant.now();
    int sources = (int) run.entries().stream().filter(TreeEntry::isSource).count();
    return caches
        .of("trees", run.root(), sources, key.ofScans())
        .flatMap(
            file ->
                TreeRecord.open(
                    file, run.entries(), key.ofTree(run.entries()) + "-" + memory.limit(), start));
  }

  /**
   * Ports a tree that an earlier run has ported into another folder, without looking at the tree as
   * a whole; empty if a port is not kept.
   */
  private List<FileResult> again(Run run, TreeRecord record) {
    Optional<TreeRecord.Kept> found = record.find();
    if (found.isEmpty()) {
      return List.of();
    }
    TreeRecord.Kept kept = found.get();
    PortStore ports =
        new PortStore(
            portCache(run.root(), Integer.MAX_VALUE), path -> kept.ports().getOrDefault(path, ""));
    for (TreeEntry entry : run.entries()) {
      boolean isPorted = isPorted(entry) || kept.changed().contains(entry.path());
      if (isPorted && !ports.holds(entry, record.stamp(entry))) {
        return List.of();
      }
    }
    record.use();
    run.target().begin(kept::key);
    add(kept.added(), run.entries(), run.target());
    // Only a file that is written during this run is ported again.
    Supplier<FilePorter.Context> context = new Once<>(() -> project(run).context());
    return ported(run, kept.changed(), context, ports, ConcurrentHashMap.newKeySet(), kept.empty());
  }

  /** Ports a tree. */
  private List<FileResult> anew(Run run, Optional<TreeRecord> record) {
    Target target = run.target();
    Project project = project(run);
    Map<String, String> keys = new ConcurrentHashMap<>();
    AtomicReference<String> whole = new AtomicReference<>("");
    PortStore ports = ports(run.root(), project, target, keys, whole);
    add(project.context().build().added(), run.entries(), target);
    SingleSource single = isSingleSource() ? engine().single() : null;
    if (single != null) {
      target.header(CompatHeader.NAME, single.compatHeader(project.context().sources()));
    }
    Set<String> empty = ConcurrentHashMap.newKeySet();
    BuildPort build = project.context().build();
    List<FileResult> results =
        ported(run, build.changes().keySet(), project::context, ports, empty, Set.of());
    if (!whole.get().isEmpty()) { // empty if the target has not asked
      record.ifPresent(
          r ->
              r.save(
                  new TreeRecord.Kept(
                      whole.get(), keys, build.changes().keySet(), build.added(), empty)));
    }
    return results;
  }

  /** What a tree as a whole means for its files. */
  private record Project(SourceScanner.Declared declared, FilePorter.Context context) {}

  private Project project(Run run) {
    TreeFacts facts = run.facts();
    TreeFiles files = facts.files(run.entries(), run.target());
    AtomicReference<BuildPort> builds = new AtomicReference<>(BuildPort.NONE);
    SourceScanner.Declared declared =
        declared(
            run.root(),
            run.entries(),
            facts.commands(),
            run.target(),
            run.progress(),
            () -> builds.set(builds(files)));
    BuildPort build = builds.get();
    ProjectIndex index = declared.index().with(build.switches(), build.isRelocatable());
    PythonProject packages = packages(run.entries(), facts, run.target());
    return new Project(declared, new FilePorter.Context(index, build, packages));
  }

  /**
   * Ports the files of a tree.
   *
   * @param changed paths of the files that the port of the build changes
   * @param empty receives the paths of files that are only copied, and hold nothing to report
   * @param known such files of an earlier run
   */
  private List<FileResult> ported(
      Run run,
      Set<String> changed,
      Supplier<FilePorter.Context> project,
      PortStore ports,
      Set<String> empty,
      Set<String> known) {
    List<TreeEntry> entries = run.entries();
    Target target = run.target();
    ProgressListener progress = run.progress();
    int count = entries.size();
    @Nullable FileResult[] results = new FileResult[count];
    AtomicInteger done = new AtomicInteger();
    workers.forEach(
        count,
        i -> {
          TreeEntry entry = entries.get(i);
          progress.begun(entry.path());
          results[i] =
              !target.wants(entry)
                  ? Results.of(entry)
                  : isPorted(entry) || changed.contains(entry.path())
                      ? port(i, entry, project, target, ports)
                      : searched(
                          entry, run.facts().told(pass(i, entry, target)), target, empty, known);
          target.done(i);
          progress.done(Phase.PORT, entry.path(), done.incrementAndGet(), count, entry.size());
        });
    ports.save();
    return Arrays.stream(results).map(Objects::requireNonNull).toList();
  }

  /**
   * Returns the ports of earlier runs that are of use.
   *
   * @param keys receives what identifies the ports of files, by path
   * @param whole receives what identifies the port of all files, once the target asks for it
   */
  private PortStore ports(
      Path root,
      Project project,
      Target target,
      Map<String, String> keys,
      AtomicReference<String> whole) {
    if (!target.wantsAll()) {
      return PortStore.none(); // files that have just changed
    }
    List<ProjectIndex.Scan> scans = project.declared().scans();
    FilePorter.Context context = project.context();
    ProjectIndex index = context.sources();
    String shared = key.ofShared(scans, index, context.build(), context.packages());
    target.begin(
        () -> {
          whole.set(PortKey.of(shared, scans, index));
          return whole.get();
        });
    return new PortStore(
        target.takesParts() ? TreeCache.none() : portCache(root, scans.size()),
        path -> keys.computeIfAbsent(path, p -> PortKey.ofFile(shared, index, p)));
  }

  private TreeCache portCache(Path root, int sources) {
    return caches
        .of("ports", root, sources, key.ofScans())
        .map(file -> TreeCache.open(file, root, Instant.now()))
        .orElseGet(TreeCache::none);
  }

  private boolean isSingleSource() {
    return options.style() == Style.SINGLE_SOURCE;
  }

  /**
   * Returns the results of the last port if nothing has changed since, so that no file needs to be
   * analyzed; otherwise empty.
   */
  private List<FileResult> unchanged(List<TreeEntry> entries, TreeFacts facts, Target target) {
    Optional<String> last = Optional.empty();
    try {
      last = target.lastKey(key.ofTree(entries) + "-" + memory.limit());
    } catch (IOException e) {
      // The port meets the same file and reports it.
    }
    if (last.isEmpty()) {
      return List.of();
    }
    String lastKey = last.get();
    @Nullable FileResult[] results = new FileResult[entries.size()];
    AtomicBoolean changed = new AtomicBoolean();
    workers.forEach(
        results.length,
        i -> {
          if (changed.get()) {
            return;
          }
          TreeEntry entry = entries.get(i);
          try {
            FileResult result = target.unchanged(entry, lastKey);
            if (result != null && !isPorted(entry) && result.findings().isEmpty()) {
              result = searched(entry, facts.told(result), target, new HashSet<>(), Set.of());
            }
            // The finding about the size is not part of the record.
            results[i] = memory.isTooLarge(entry.size()) ? null : result;
          } catch (IOException e) {
            results[i] = null;
          }
          if (results[i] == null) {
            changed.set(true);
          }
        });
    return changed.get() ? List.of() : Arrays.stream(results).map(Objects::requireNonNull).toList();
  }

  /**
   * Returns the result of a file that is only copied, with what its content tells.
   *
   * @param empty receives its path if it tells nothing
   * @param known paths of files that tell nothing
   */
  private FileResult searched(
      TreeEntry entry, FileResult result, Target target, Set<String> empty, Set<String> known) {
    if (entry.kind() != FileKind.OTHER || result.status() == Status.FAILED) {
      return result;
    }
    if (target.isSearched(entry)) {
      empty.add(entry.path());
      return result;
    }
    List<Finding> found = known.contains(entry.path()) ? List.of() : ptx.look(entry);
    if (found.isEmpty()) {
      target.searched(entry);
      empty.add(entry.path());
    }
    return Results.with(result, found);
  }

  /** Returns the result of a file that is not ported. */
  FileResult passed(int index, TreeEntry entry, TreeFacts facts, Target target) {
    return searched(
        entry, facts.told(pass(index, entry, target)), target, new HashSet<>(), Set.of());
  }

  /** Returns what identifies the program, the rules, the options and the limits. */
  String partsKey() {
    return key.ofScans() + "-" + memory.limit();
  }

  BuildPort builds(TreeFiles files) {
    return BuildFiles.port(catalog, options, files)
        .and(Packages.port(catalog, options, files))
        .and(JavaBuilds.port(catalog, options, files));
  }

  /** In one tree for both platforms, both use 32 lanes unless the user chooses otherwise. */
  PortOptions.Warp warp() {
    return options.style() == Style.SINGLE_SOURCE && options.warp() == PortOptions.Warp.AUTO
        ? PortOptions.Warp.GROUPS32
        : options.warp();
  }

  /** Build files name sources, so they change with the names. */
  boolean isPorted(TreeEntry entry) {
    return FilePorter.isAnalyzed(entry) || (entry.kind() == FileKind.BUILD && !renamed.isEmpty());
  }

  /** Returns how the Python files of the tree import each other. */
  PythonProject packages(List<TreeEntry> entries, TreeFacts facts, Target target) {
    PythonProject project =
        PythonProject.of(entries.stream().map(TreeEntry::path).toList(), facts.copied());
    Map<String, TreeEntry> noted = new HashMap<>();
    for (TreeEntry e : entries) {
      if (e.kind() == FileKind.PYTHON && !onlyPtx && !memory.isTooLarge(e.size())) {
        try {
          byte[] bytes = target.read(e);
          project.note(e.path(), bytes);
          noted.put(e.path(), e);
        } catch (IOException x) {
          // Its port fails in the same way and reports it.
        }
      }
    }
    project.link(path -> target.read(Objects.requireNonNull(noted.get(path))));
    return project;
  }

  /** Finds out what the sources declare; another worker does something else at the same time. */
  private SourceScanner.Declared declared(
      Path root,
      List<TreeEntry> entries,
      ProjectCommands commands,
      Target target,
      ProgressListener progress,
      Runnable beside) {
    if (!needsScans()) {
      return new SourceScanner.Declared(List.of(), ProjectIndex.of(List.of(), commands, warp()));
    }
    List<TreeEntry> sources = entries.stream().filter(TreeEntry::isSource).toList();
    return scanner.declared(root, sources, commands, target, progress, beside);
  }

  /** Returns whether declarations in other files affect the port of a file, as for all but PTX. */
  boolean needsScans() {
    return !onlyPtx;
  }

  /** Returns what finds out what sources declare. */
  SourceScanner scanner() {
    return scanner;
  }

  private ProjectIndex.Scan scan(SourceFile text) {
    SingleSource single = engine().single();
    return single != null ? single.scan(text) : engine().cuda().scan(text);
  }

  private static void add(
      Map<String, BuildPort.Added> added, List<TreeEntry> entries, Target target) {
    Map<String, Path> files = new HashMap<>();
    entries.forEach(e -> files.put(e.path(), e.file()));
    added.forEach(
        (path, file) ->
            target.added(
                path,
                new AddedFile(
                    file.content().getBytes(StandardCharsets.UTF_8), files.get(file.like()))));
  }

  /**
   * Ports a file.
   *
   * @param kept ports of earlier runs; receives those that are new
   */
  FileResult port(
      int index, TreeEntry entry, FilePorter.Context project, Target target, PortStore kept) {
    return port(index, entry, () -> project, target, kept);
  }

  private FileResult port(
      int index,
      TreeEntry entry,
      Supplier<FilePorter.Context> project,
      Target target,
      PortStore kept) {
    if (memory.isTooLarge(entry.size())) {
      return tooLarge(index, entry, target);
    }
    memory.enter(entry.size());
    try {
      return portNow(index, entry, project, target, kept);
    } catch (OutOfMemoryError e) {
      // Denser than most, or processed next to such files: retry alone.
    } finally {
      memory.leave(entry.size());
    }
    memory.enterAlone();
    try {
      return portNow(index, entry, project, target, kept);
    } catch (OutOfMemoryError e) {
      return tooLarge(index, entry, target);
    } finally {
      memory.leaveAlone();
    }
  }

  private FileResult portNow(
      int index,
      TreeEntry entry,
      Supplier<FilePorter.Context> project,
      Target target,
      PortStore kept) {
    try {
      byte[] bytes;
      try {
        bytes = target.read(entry);
      } catch (IOException e) {
        return failed(entry, "cannot be read: ", e);
      }
      SourceFile file = new SourceFile(entry.path(), bytes);
      FileResult known = target.known(entry, file);
      if (known != null) {
        return known;
      }
      Optional<PortedFile> earlier = kept.find(index, entry, file);
      if (earlier.isPresent()) {
        return target.ported(earlier.get());
      }
      PortedFile ported = engine().porter().apply(index, entry, file, project.get());
      kept.put(ported);
      return target.ported(ported);
    } catch (IOException e) {
      return failed(entry, "cannot be written: ", e);
    }
  }

  private static FileResult pass(int index, TreeEntry entry, Target target) {
    try {
      return target.passed(index, entry);
    } catch (IOException e) {
      return failed(entry, "cannot be copied: ", e);
    }
  }

  /** Copies a file that exceeds the limits unchanged, with an error finding. */
  private FileResult tooLarge(int index, TreeEntry entry, Target target) {
    FileResult passed = pass(index, entry, target);
    if (passed.status() == Status.FAILED) {
      return passed;
    }
    return Unported.tooLarge(passed, memory.limit());
  }

  private static FileResult failed(TreeEntry entry, String what, IOException e) {
    return Results.of(entry, Status.FAILED, what + SourceTree.reason(e));
  }

  /** A value that is found out when it is first asked for. Thread-safe. */
  private static final class Once<T> implements Supplier<T> {
    private final Supplier<T> source;
    private @Nullable T value;

    Once(Supplier<T> source) {
      this.source = source;
    }

    @Override
    public synchronized T get() {
      T known = value;
      if (known == null) {
        known = source.get();
        value = known;
      }
      return known;
    }
  }
}
