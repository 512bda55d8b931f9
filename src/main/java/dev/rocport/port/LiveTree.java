package dev.rocport.port;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.result.FileFix;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.io.PathText;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.warp.WarpFacts;
import dev.rocport.warp.WarpModel;
import dev.rocport.warp.WarpProject;
import dev.rocport.warp.WarpScan;
import dev.rocport.warp.ir.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A tree whose files change while it is analyzed: the facts of each file are kept and computed
 * again only for files that change. The result of a file is that of a run over the whole tree in
 * its current state. Writes nothing. Not thread-safe; deeply nested sources need a thread with a
 * large stack.
 */
public final class LiveTree {
  private final RuleCatalog catalog;
  private final TreeSelection selection;
  private final Porter porter;
  private final Workers workers;
  private final Map<String, Known> files = new TreeMap<>();
  private final Map<String, byte[]> buffers = new HashMap<>();

  /** Build files whose changes were used, which a suppression in the file may have extended. */
  private final Set<String> used = new HashSet<>();

  private TreeFacts facts;

  /** What the facts of the files say together; brought up to date when it is needed. */
  private ProjectIndex index = ProjectIndex.EMPTY;

  private final WarpProject warps;
  private boolean isIndexed;
  private @Nullable BuildPort builds;
  private @Nullable PythonProject packages;

  /**
   * What is known about a file.
   *
   * @param stamp its {@link FileStamp}; empty for files in memory
   */
  private record Known(TreeEntry entry, String stamp, ProjectIndex.@Nullable Scan scan) {}

  /**
   * What a port would do with a file.
   *
   * @param source the text that was analyzed
   * @param fix the changes of the port; empty if there are none, or if an editor may read the text
   *     differently
   */
  public record Answer(FileResult result, SourceFile source, Optional<FileFix> fix) {}

  /**
   * Creates a tree without files; {@link #refresh} reads them.
   *
   * @param jobs number of threads that read files
   * @param largest size in bytes of the largest file that is analyzed
   */
  public LiveTree(
      RuleCatalog catalog, PortOptions options, TreeSelection selection, int jobs, long largest) {
    this.catalog = catalog;
    this.selection = selection;
    this.porter = new Porter(catalog, options, RenamedSources.NONE, jobs, largest);
    this.workers = new Workers(jobs);
    this.warps = new WarpProject(porter.warp());
    this.facts = TreeFacts.of(catalog, new SourceTree(selection.root(), List.of(), List.of()));
  }

  /** Returns the folder that paths are relative to. */
  public Path root() {
    return selection.root();
  }

  /**
   * Reads the files that have changed on disk.
   *
   * @return whether any has
   */
  public boolean refresh() {
    SourceTree tree = SourceTree.walk(selection);
    facts = TreeFacts.of(catalog, tree);
    Map<String, Known> now = new TreeMap<>();
    List<Known> changed = new ArrayList<>();
    for (TreeEntry e : tree.entries()) {
      Known known = files.get(e.path());
      if (buffers.containsKey(e.path()) && known != null) {
        now.put(e.path(), known);
        continue;
      }
      Known read = new Known(facts.entry(e), stamp(e), null);
      boolean same =
          known != null && known.stamp().equals(read.stamp()) && known.entry().equals(read.entry());
      if (same) {
        now.put(e.path(), known);
      } else {
        changed.add(read);
      }
    }
    for (String path : buffers.keySet()) {
      Known known = files.get(path);
      if (known != null) {
        now.putIfAbsent(path, known);
      }
    }
    boolean removed = !now.keySet().containsAll(files.keySet());
    if (changed.isEmpty() && !removed) {
      return false;
    }
    boolean first = files.isEmpty() && buffers.isEmpty();
    int sources = (int) changed.stream().filter(k -> k.entry().isSource()).count();
    ScanStore kept = first ? porter.scanner().known(root(), sources) : ScanStore.none();
    @Nullable Known[] scans = new Known[changed.size()];
    workers.forEach(scans.length, i -> scans[i] = scan(changed.get(i), kept));
    kept.save();
    for (Known known : scans) {
      if (known != null) {
        now.put(known.entry().path(), known);
      }
    }
    files.clear();
    files.putAll(now);
    isIndexed = false;
    builds = null;
    packages = null;
    return true;
  }

  private static String stamp(TreeEntry e) {
    try {
      return FileStamp.of(e.file()).text();
    } catch (IOException x) {
      return ""; // deleted since the walk; the next one does not find it
    }
  }

  private Known scan(Known known, ScanStore kept) {
    TreeEntry e = known.entry();
    return e.isSource() && porter.needsScans()
        ? new Known(e, known.stamp(), porter.scanner().scan(e, reader(null), kept))
        : known;
  }

  /** Uses this content for a file in place of that on disk, until {@link #remove}. */
  public void put(String path, byte[] bytes) {
    buffers.put(path, bytes);
    Known known = files.get(path);
    TreeEntry entry = known == null ? created(path) : known.entry();
    if (entry == null) {
      return;
    }
    TreeEntry sized =
        new TreeEntry(
            entry.file(), path, entry.kind(), entry.language(), bytes.length, entry.note());
    Known now = scan(new Known(sized, "", null), ScanStore.none());
    files.put(path, now);
    boolean isSource = sized.isSource();
    if (known == null || (isSource && !sameScan(known, now))) {
      isIndexed = false;
    }
    if (known == null || !isSource) {
      builds = null;
      packages = null;
    }
  }

  private static boolean sameScan(Known a, Known b) {
    return a.scan() != null && a.scan().equals(b.scan());
  }

  /** Returns the entry of a file that is not on disk; null if a port would not look at it. */
  private @Nullable TreeEntry created(String path) {
    try {
      return SourceTree.reaches(selection, path)
          ? facts.entry(
              SourceTree.entry(selection, PathText.resolve(selection.root(), path), path, 0))
          : null;
    } catch (IOException e) {
      return null; // only its content on disk tells what it is
    }
  }

  /** Uses the content on disk again; {@link #refresh} reads it. */
  public void remove(String path) {
    buffers.remove(path);
  }

  /** Returns what a port would do with a file; empty for files that it does not look at. */
  public Optional<Answer> answer(String path) {
    return answer(path, () -> false);
  }

  /**
   * The same until nobody needs it any more.
   *
   * @param isCancelled whether nobody does; asked often
   * @throws java.util.concurrent.CancellationException if nobody does
   */
  public Optional<Answer> answer(String path, BooleanSupplier isCancelled) {
    Known known = files.get(path);
    if (known == null) {
      return Optional.empty();
    }
    index(isCancelled);
    FilePorter.Context context = context(path);
    return porter.isPorted(known.entry()) || context.build().changes().containsKey(path)
        ? answer(known.entry(), context)
        : Optional.empty();
  }

  /**
   * Returns what the tokens of a source alone show, with the facts about the project as they were
   * when a file was asked for last. The content counts as that of {@link #put}, which must follow.
   *
   * @return empty for other files, and before the first answer
   */
  public Optional<Answer> preview(String path, byte[] bytes) {
    Known known = files.get(path);
    BuildPort build = builds;
    PythonProject python = packages;
    if (known == null
        || !known.entry().isSource()
        || build == null
        || python == null
        || build.changes().containsKey(path)) {
      return Optional.empty();
    }
    buffers.put(path, bytes);
    ProjectIndex tokens = index.with(build.switches(), build.isRelocatable()).withoutTrees();
    return answer(known.entry(), new FilePorter.Context(tokens, build, python));
  }

  private Optional<Answer> answer(TreeEntry entry, FilePorter.Context context) {
    FileFixes fixes = new FileFixes();
    List<SourceFile> sources = new ArrayList<>();
    FileResult result =
        porter.port(
            0,
            entry,
            context,
            reader(
                file -> {
                  sources.add(file.source());
                  fixes.look(file);
                }),
            PortStore.none());
    return sources.isEmpty()
        ? Optional.empty() // deleted, or too large
        : Optional.of(new Answer(result, sources.getLast(), fixes.all().stream().findFirst()));
  }

  private FilePorter.Context context(String path) {
    List<TreeEntry> entries = files.values().stream().map(Known::entry).toList();
    BuildPort build = builds;
    if (build == null || used.contains(path)) {
      build = porter.builds(facts.files(entries, reader(null)));
      builds = build;
      used.clear();
    }
    if (build.changes().containsKey(path)) {
      used.add(path);
    }
    PythonProject python = packages;
    if (python == null) {
      python = porter.packages(entries, facts, reader(null));
      packages = python;
    }
    return new FilePorter.Context(
        index(() -> false).with(build.switches(), build.isRelocatable()), build, python);
  }

  private ProjectIndex index(BooleanSupplier isCancelled) {
    if (!isIndexed) {
      List<ProjectIndex.Scan> scans = scans();
      WarpModel decided =
          warps.decide(scans.stream().map(ProjectIndex.Scan::warps).toList(), isCancelled);
      index = index.after(scans, facts.commands(), decided);
      isIndexed = true;
    }
    return index;
  }

  private List<ProjectIndex.Scan> scans() {
    List<ProjectIndex.Scan> scans = new ArrayList<>();
    for (Known known : files.values()) {
      if (known.scan() != null) {
        scans.add(known.scan());
      }
    }
    return scans;
  }

  /** Returns the warp decisions for a file and the launches in it. */
  public WarpFacts warps(String path) {
    ProjectIndex now = index(() -> false);
    WarpScan scan = now.warpScan(path);
    List<Launch> launches = scan == null ? List.of() : scan.allLaunches();
    return new WarpFacts(now.warps().plan(path), launches, warps.launches());
  }

  private interface Look {
    void at(PortedFile file);
  }

  /** Reads files from memory before the disk, and writes nothing. */
  private Target reader(@Nullable Look look) {
    return new Target() {
      @Override
      public byte[] read(TreeEntry entry) throws IOException {
        byte[] buffer = buffers.get(entry.path());
        return buffer == null ? Files.readAllBytes(entry.file()) : buffer;
      }

      @Override
      public FileResult ported(PortedFile file) {
        if (look != null) {
          look.at(file);
        }
        return file.result();
      }
    };
  }

  /** Returns whether a file of the tree is a source, and not a build file or text. */
  public boolean isSource(String path) {
    Known known = files.get(path);
    return known != null && known.entry().kind() == FileKind.SOURCE;
  }
}
