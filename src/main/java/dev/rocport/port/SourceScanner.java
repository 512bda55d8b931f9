package dev.rocport.port;

import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.lang.cuda.symbols.ProjectCommands;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import dev.rocport.port.ProgressListener.Phase;
import dev.rocport.rules.PortOptions;
import dev.rocport.warp.WarpModel;
import dev.rocport.warp.WarpProject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds out what the sources of a tree declare: the first pass of a port. */
final class SourceScanner {
  private final PortKey key;
  private final MemoryGate memory;
  private final Workers workers;
  private final PortOptions.Warp warp;
  private final Function<SourceFile, Scan> reader;

  /**
   * @param warp how warp code is ported
   * @param reader finds the facts in a text with line feeds
   */
  SourceScanner(
      PortKey key,
      MemoryGate memory,
      Workers workers,
      PortOptions.Warp warp,
      Function<SourceFile, Scan> reader) {
    this.key = key;
    this.memory = memory;
    this.workers = workers;
    this.warp = warp;
    this.reader = reader;
  }

  /**
   * What the sources of a tree declare.
   *
   * @param scans the facts of all sources; none if they are evidence of an earlier run
   */
  record Declared(List<Scan> scans, ProjectIndex index) {}

  /**
   * Finds out what the sources declare.
   *
   * @param beside what another worker does at the same time
   */
  Declared declared(
      Path root,
      List<TreeEntry> sources,
      ProjectCommands commands,
      Target target,
      ProgressListener progress,
      Runnable beside) {
    AtomicReference<Runnable> once = new AtomicReference<>(beside);
    Runnable first = () -> once.getAndSet(() -> {}).run();
    if (target.wantsAll() || !target.readsDisk()) {
      ScanStore known = target.readsDisk() ? known(root, sources.size()) : ScanStore.none();
      List<Scan> scans = scan(sources, known, target, progress, first);
      known.save();
      return new Declared(scans, ProjectIndex.of(scans, commands, warp));
    }
    Kept kept =
        new Kept(
            () -> known(root, sources.size()),
            () -> TreeEvidence.of(root, sources.size(), key.ofScans()));
    return declared(kept, sources, commands, target, progress, first);
  }

  /**
   * Where facts are kept.
   *
   * @param known opens those about single sources
   * @param evidence opens those about all sources together
   */
  record Kept(Supplier<ScanStore> known, Supplier<TreeEvidence> evidence) {}

  /**
   * Finds out what the sources declare, for a run that needs the results of some files only.
   *
   * @param kept receives what is new
   * @param beside what another worker does at the same time; can be called more than once
   */
  Declared declared(
      Kept kept,
      List<TreeEntry> sources,
      ProjectCommands commands,
      Target target,
      ProgressListener progress,
      Runnable beside) {
    TreeEvidence evidence = kept.evidence().get();
    if (evidence.isUsable()) {
      scan(sources, evidence, target, progress, beside);
      if (evidence.isUsable()) {
        evidence.used();
        return new Declared(List.of(), evidence.index(commands, warp));
      }
    }
    ScanStore known = kept.known().get();
    List<Scan> scans = scan(sources, known, target, progress, beside);
    known.save();
    WarpProject project = new WarpProject(warp);
    WarpModel decided = project.decide(scans.stream().map(Scan::warps).toList());
    ProjectIndex index = ProjectIndex.EMPTY.after(scans, commands, decided);
    evidence.save(known.asked(), scans, index, commands, project);
    return new Declared(scans, index);
  }

  /**
   * Scans sources.
   *
   * @param known what is known about them; receives what is new
   * @param beside what another worker does at the same time
   */
  private List<Scan> scan(
      List<TreeEntry> sources,
      KnownScans known,
      Target target,
      ProgressListener progress,
      Runnable beside) {
    @Nullable Scan[] scans = new Scan[sources.size()];
    AtomicInteger done = new AtomicInteger();
    workers.forEach(
        scans.length + 1,
        i -> {
          if (i == 0) {
            beside.run();
            return;
          }
          TreeEntry entry = sources.get(i - 1);
          progress.begun(entry.path());
          scans[i - 1] = scan(entry, target, known);
          progress.done(
              Phase.SCAN, entry.path(), done.incrementAndGet(), scans.length, entry.size());
        });
    List<Scan> found = new ArrayList<>();
    for (Scan scan : scans) {
      if (scan != null) {
        found.add(scan);
      }
    }
    return found;
  }

  /**
   * Returns the facts that earlier runs have kept.
   *
   * @param sources number of sources in the tree
   */
  ScanStore known(Path root, int sources) {
    return ScanStore.of(root, sources, key.ofScans());
  }

  /**
   * Returns the facts that other files need from a source; null if it has none.
   *
   * @param known facts of earlier runs; receives those that are new
   */
  @Nullable Scan scan(TreeEntry entry, Target target, KnownScans known) {
    if (memory.isTooLarge(entry.size())) {
      return null;
    }
    Optional<KnownScans.Known> kept = known.find(entry);
    if (kept.isPresent()) {
      return kept.get().scan();
    }
    memory.enter(entry.size());
    try {
      SourceFile file = new SourceFile(entry.path(), target.read(entry));
      kept = known.find(entry, file);
      if (kept.isPresent()) {
        return kept.get().scan();
      }
      Scan scan = file.encoding().isText() ? reader.apply(file.withLineFeeds()) : null;
      known.put(entry, file, scan);
      return scan;
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      // The second pass fails in the same way and reports it.
      return null;
    } finally {
      memory.leave(entry.size());
    }
  }
}
