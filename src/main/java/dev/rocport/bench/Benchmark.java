package dev.rocport.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.port.OutputNames;
import dev.rocport.port.Porter;
import dev.rocport.port.ProgressListener;
import dev.rocport.port.ShimHeaders;
import dev.rocport.port.TreeTarget;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Ports synthetic trees end to end and measures the time. */
public final class Benchmark {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final int WARM_UP_MEGABYTES = 16;
  private static final int WARM_UP_RUNS = 4;
  private static final int SEED = 20260101;

  private final RuleCatalog catalog = RuleCatalog.builtIn();
  private final Path folder;
  private final int jobs;
  private final PortOptions options;

  /** Measures in this folder, which must exist, with this many threads. */
  public Benchmark(Path folder, int jobs) {
    this(folder, jobs, PortOptions.DEFAULT);
  }

  /** The same with options of the port. */
  Benchmark(Path folder, int jobs, PortOptions options) {
    this.folder = folder;
    this.jobs = jobs;
    this.options = options;
  }

  /**
   * One measurement: walk, read, port, write, remember.
   *
   * @param files number of files
   * @param bytes their size
   * @param nanos wall time
   * @param cpuNanos processor time of the whole program, its garbage collector and compiler
   *     included
   * @param findings number of findings
   * @param peakHeap most bytes of heap in use at once, garbage included
   */
  public record Measured(
      int files, long bytes, long nanos, long cpuNanos, long findings, long peakHeap) {
    /** Megabytes (of a million bytes) a second. */
    public double rate() {
      return bytes / 1e6 / (nanos / 1e9);
    }

    /** Megabytes a second of processor time: what one core does, whatever else the machine does. */
    public double ratePerCore() {
      return bytes / 1e6 / (cpuNanos / 1e9);
    }
  }

  /** Writes the original: the same for the same size. */
  public Path generate(int megabytes) throws IOException {
    Path root = folder.resolve("tree" + megabytes);
    new SyntheticTree(root, SEED).write(megabytes * 1_000_000L);
    return root;
  }

  /** Ports a tree of its own until the compiler of the virtual machine has seen all of it. */
  public void warmUp() throws IOException {
    Path tree = generate(WARM_UP_MEGABYTES);
    for (int i = 0; i < WARM_UP_RUNS; i++) {
      whole(tree);
    }
    delete(tree);
  }

  /** Ports the whole tree into an empty folder. */
  public Measured whole(Path tree) throws IOException {
    return measure(tree, e -> true);
  }

  /** Ports the files of one class only. */
  public Measured only(Path tree, FileClass kind) throws IOException {
    return measure(tree, e -> FileClass.of(e.path()) == kind);
  }

  private Measured measure(Path tree, Predicate<TreeEntry> wanted) throws IOException {
    Path out = folder.resolve("out");
    resetPeaks();
    long cpu = SYSTEM.getProcessCpuTime();
    long start = System.nanoTime();
    TreeSelection selection = TreeSelection.of(List.of(tree));
    SourceTree all = SourceTree.walk(selection);
    SourceTree files =
        new SourceTree(all.root(), all.entries().stream().filter(wanted).toList(), List.of());
    List<FileResult> results;
    try (TreeTarget target =
        TreeTarget.open(new TreeWriter(out), ShimHeaders.ofHome(), OutputNames.same(), false)) {
      results = new Porter(catalog, options, jobs).run(files, target, ProgressListener.NONE);
      target.finish(files, selection, new ArrayList<>());
    }
    long nanos = System.nanoTime() - start;
    long cpuNanos = SYSTEM.getProcessCpuTime() - cpu;
    long peak = peakHeap();
    delete(out);
    long findings = results.stream().mapToLong(r -> r.findings().size()).sum();
    return new Measured(files.entries().size(), files.bytes(), nanos, cpuNanos, findings, peak);
  }

  private static void resetPeaks() {
    System.gc();
    ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  private static long peakHeap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(p -> p.getType() == MemoryType.HEAP)
        .mapToLong(p -> p.getPeakUsage().getUsed())
        .sum();
  }

  /** Deletes a folder and all in it. */
  public static void delete(Path folder) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> walk = Files.walk(folder)) {
      deepestFirst = walk.sorted((a, b) -> b.compareTo(a)).toList();
    }
    for (Path file : deepestFirst) {
      Files.delete(file);
    }
  }
}
