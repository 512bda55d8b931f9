package dev.rocport.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.port.Porter;
import dev.rocport.port.ProgressListener;
import dev.rocport.port.Target;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;

/** Measures how fast the PTX in a tree is found, on one core: an audit with the PTX rules only. */
public final class PtxSpeed {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** So many bytes are looked at before the rate is taken, and again for it. */
  private static final long ENOUGH = 200_000_000;

  private static final long MOST_ROUNDS = 40;

  private final TreeSelection selection;
  private final Porter porter;

  /**
   * What was measured.
   *
   * @param files files of the tree
   * @param bytes their size
   * @param findings places with PTX
   * @param cold megabytes a second of processor time in the first round, reading included
   * @param warm the same after the warm-up
   */
  public record Measured(int files, long bytes, long findings, double cold, double warm) {}

  /**
   * Looks at a tree.
   *
   * @throws IOException if it does not exist
   */
  public PtxSpeed(Path tree) throws IOException {
    selection = TreeSelection.of(List.of(tree));
    RuleFilter ptx = new RuleFilter(List.of("PTX-*"), List.of());
    porter = new Porter(RuleCatalog.builtIn(), PortOptions.DEFAULT.with(ptx), 1);
  }

  /** Finds all there is, again and again. */
  public Measured run() {
    SourceTree tree = SourceTree.walk(selection);
    long bytes = tree.bytes();
    long start = SYSTEM.getProcessCpuTime();
    long findings = round();
    double cold = rate(bytes, SYSTEM.getProcessCpuTime() - start);
    long rounds = Math.clamp(ENOUGH / Math.max(1, bytes), 1, MOST_ROUNDS);
    for (long i = 0; i < rounds; i++) {
      round();
    }
    start = SYSTEM.getProcessCpuTime();
    for (long i = 0; i < rounds; i++) {
      round();
    }
    double warm = rate(rounds * bytes, SYSTEM.getProcessCpuTime() - start);
    return new Measured(tree.entries().size(), bytes, findings, cold, warm);
  }

  private long round() {
    List<FileResult> results =
        porter.run(SourceTree.walk(selection), Target.NONE, ProgressListener.NONE);
    return results.stream().mapToLong(r -> r.findings().size()).sum();
  }

  private static double rate(long bytes, long nanos) {
    return bytes * 1e3 / nanos;
  }
}
