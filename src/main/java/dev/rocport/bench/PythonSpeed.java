package dev.rocport.bench;

import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.lang.python.PythonPorter;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures how fast Python files are ported and proven, on one core. */
public final class PythonSpeed {
  /** So many bytes are ported before the rate is taken, and again for it. */
  private static final long ENOUGH = 30_000_000;

  private final List<SourceFile> files = new ArrayList<>();
  private final PythonProject project;
  private final PythonPorter porter = new PythonPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  /**
   * What was measured.
   *
   * @param files Python files of text
   * @param bytes their size
   * @param concerned size of those that mention CUDA or PyTorch, which alone are parsed
   * @param edits edits in one round
   * @param unproven files whose original did not come back
   * @param cold megabytes a second of processor time in the first round
   * @param warm the same after the warm-up
   */
  public record Measured(
      int files, long bytes, long concerned, int edits, int unproven, double cold, double warm) {}

  /** What one round over all files made. */
  private record Round(int edits, int unproven) {}

  /**
   * Reads the Python files of a tree.
   *
   * @throws IOException if one cannot be read
   */
  public PythonSpeed(Path tree) throws IOException {
    SourceTree all = SourceTree.walk(TreeSelection.of(List.of(tree)));
    project = PythonProject.of(all.entries().stream().map(TreeEntry::path).toList());
    for (TreeEntry e : all.entries()) {
      if (e.kind() == FileKind.PYTHON) {
        SourceFile file = new SourceFile(e.path(), Files.readAllBytes(e.file()));
        if (file.encoding().isText()) {
          files.add(file);
          project.note(file.path(), file.bytes());
        }
      }
    }
  }

  /** Ports all files, again and again, in memory. */
  public Measured run() {
    long bytes = files.stream().mapToLong(SourceFile::length).sum();
    long concerned =
        files.stream()
            .filter(f -> PythonPorter.concerns(f.bytes()))
            .mapToLong(SourceFile::length)
            .sum();
    long rounds = Math.max(1, ENOUGH / Math.max(1, bytes));
    long start = processorTime();
    Round round = round();
    double cold = rate(bytes, processorTime() - start);
    for (long i = 0; i < rounds; i++) {
      round();
    }
    start = processorTime();
    for (long i = 0; i < rounds; i++) {
      round();
    }
    double warm = rate(rounds * bytes, processorTime() - start);
    return new Measured(
        files.size(), bytes, concerned, round.edits(), round.unproven(), cold, warm);
  }

  private Round round() {
    int edits = 0;
    int unproven = 0;
    for (SourceFile file : files) {
      Changes changes = porter.port(file, project);
      if (!changes.edits().isEmpty()) {
        edits += changes.counts().values().stream().mapToInt(n -> n).sum();
        SourceFile ported = new SourceFile(file.path(), changes.edits().apply(file.bytes()));
        unproven += PythonPorter.failure(file, ported).isEmpty() ? 0 : 1;
      }
    }
    return new Round(edits, unproven);
  }

  private static double rate(long bytes, long nanos) {
    return bytes * 1e3 / nanos;
  }

  /** Of this thread alone: compilers and collectors of the virtual machine run beside it. */
  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
