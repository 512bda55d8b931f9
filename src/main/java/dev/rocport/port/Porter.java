package dev.rocport.port;

import dev.rocport.cuda.CudaPorter;
import dev.rocport.cuda.ProjectIndex;
import dev.rocport.port.ProgressListener.Phase;
import dev.rocport.report.FileResult;
import dev.rocport.report.FileResult.Status;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.source.OverlapException;
import dev.rocport.source.SourceFile;
import dev.rocport.source.SourceTree;
import dev.rocport.source.TreeEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every file of a tree twice: first for what it declares, then to port it. Files are read
 * when their turn comes and let go afterwards. Whatever goes wrong with one file is a result of
 * that file.
 */
public final class Porter {
  private final CudaPorter cuda;
  private final PortKey key;
  private final Workers workers;
  private final MemoryGate memory;

  /**
   * A porter with these rules and options.
   *
   * @param jobs number of threads
   */
  public Porter(RuleCatalog catalog, PortOptions options, int jobs) {
    this(
        new CudaPorter(catalog, options), new PortKey(catalog, options), jobs, MemoryGate.ofHeap());
  }

  Porter(CudaPorter cuda, PortKey key, int jobs, MemoryGate memory) {
    this.cuda = cuda;
    this.key = key;
    this.workers = new Workers(jobs);
    this.memory = memory;
  }

  /** Ports all files of a tree; the results are in order of the path. */
  public List<FileResult> run(SourceTree tree, Target target, ProgressListener progress) {
    List<ProjectIndex.Scan> scans = scan(tree.entries(), progress);
    target.begin(key.of(scans));
    ProjectIndex index = ProjectIndex.of(scans);
    int count = tree.entries().size();
    @Nullable FileResult[] results = new FileResult[count];
    AtomicInteger done = new AtomicInteger();
    workers.forEach(
        count,
        i -> {
          TreeEntry entry = tree.entries().get(i);
          results[i] = entry.isSource() ? port(i, entry, index, target) : pass(i, entry, target);
          progress.done(Phase.PORT, done.incrementAndGet(), count, entry.size());
        });
    return Arrays.stream(results).map(Objects::requireNonNull).toList();
  }

  private List<ProjectIndex.Scan> scan(List<TreeEntry> entries, ProgressListener progress) {
    List<TreeEntry> sources = entries.stream().filter(TreeEntry::isSource).toList();
    ProjectIndex.@Nullable Scan[] scans = new ProjectIndex.Scan[sources.size()];
    AtomicInteger done = new AtomicInteger();
    workers.forEach(
        scans.length,
        i -> {
          TreeEntry entry = sources.get(i);
          scans[i] = scan(entry);
          progress.done(Phase.SCAN, done.incrementAndGet(), scans.length, entry.size());
        });
    List<ProjectIndex.Scan> found = new ArrayList<>();
    for (ProjectIndex.Scan scan : scans) {
      if (scan != null) {
        found.add(scan);
      }
    }
    return found;
  }

  private ProjectIndex.@Nullable Scan scan(TreeEntry entry) {
    if (memory.isTooLarge(entry.size())) {
      return null;
    }
    memory.enter(entry.size());
    try {
      SourceFile file = new SourceFile(entry.path(), Files.readAllBytes(entry.file()));
      return file.encoding().isText() ? cuda.scan(file) : null;
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      // The second pass meets the same trouble and reports it.
      return null;
    } finally {
      memory.leave(entry.size());
    }
  }

  private FileResult port(int index, TreeEntry entry, ProjectIndex project, Target target) {
    if (memory.isTooLarge(entry.size())) {
      return tooLarge(index, entry, target);
    }
    memory.enter(entry.size());
    try {
      byte[] bytes;
      try {
        bytes = Files.readAllBytes(entry.file());
      } catch (IOException e) {
        return failed(entry, "cannot be read: ", e);
      }
      SourceFile file = new SourceFile(entry.path(), bytes);
      FileResult known = target.known(entry, file);
      return known != null ? known : target.ported(apply(index, entry, file, project));
    } catch (IOException e) {
      return failed(entry, "cannot be written: ", e);
    } catch (OutOfMemoryError e) {
      return tooLarge(index, entry, target);
    } finally {
      memory.leave(entry.size());
    }
  }

  private PortedFile apply(int index, TreeEntry entry, SourceFile file, ProjectIndex project) {
    if (!file.encoding().isText()) {
      return Unported.notText(index, entry, file);
    }
    try {
      Changes changes = cuda.port(file, project);
      byte[] output =
          changes.edits().isEmpty() ? file.bytes() : changes.edits().apply(file.bytes());
      return new PortedFile(
          index,
          entry,
          file,
          Arrays.equals(output, file.bytes()) ? file.bytes() : output,
          changes.counts(),
          changes.findings(),
          changes.shims(),
          "");
    } catch (OverlapException e) {
      return Unported.overlap(index, entry, file, e);
    } catch (StackOverflowError e) {
      return Unported.tooDeep(index, entry, file);
    } catch (RuntimeException e) {
      return Unported.internal(index, entry, file, e);
    }
  }

  private static FileResult pass(int index, TreeEntry entry, Target target) {
    try {
      return target.passed(index, entry);
    } catch (IOException e) {
      return failed(entry, "cannot be copied: ", e);
    }
  }

  /** A file that does not fit is passed on as it is, with an error that says so. */
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
}
