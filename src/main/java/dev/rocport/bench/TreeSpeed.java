package dev.rocport.bench;

import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measures ports of a tree as a user sees them: whole processes, from the start to the end. */
public final class TreeSpeed {
  private static final Duration LIMIT = Duration.ofHours(1);

  /** Clock ticks per second in {@code /proc}, which Linux defines as 100 for all programs. */
  private static final double TICKS = 100;

  /** What {@code rocport port --times} prints before the times. */
  private static final String TIMES = "times: ";

  private final Path launcher;
  private final Path tree;
  private final Path scratch;

  /**
   * @param launcher the {@code rocport} script
   * @param scratch an empty folder for caches and outputs
   */
  public TreeSpeed(Path launcher, Path tree, Path scratch) {
    this.launcher = launcher;
    this.tree = tree;
    this.scratch = scratch;
  }

  /**
   * One process.
   *
   * @param title what is special about it
   * @param wall seconds
   * @param processor seconds of all processors, including child processes
   * @param phases times that the program measured itself
   */
  public record Measured(String title, double wall, double processor, String phases) {}

  /** Returns the bytes of CUDA, C and C++ sources in the tree. */
  public long bytes() throws IOException {
    return SourceTree.walk(TreeSelection.of(List.of(tree))).entries().stream()
        .filter(TreeEntry::isSource)
        .mapToLong(TreeEntry::size)
        .sum();
  }

  /** Runs a first port after the installation, a later one, and one in which nothing changed. */
  public List<Measured> run() throws IOException, InterruptedException {
    List<Measured> all = new ArrayList<>();
    all.add(port("first run, no caches", "first"));
    all.add(port("later run, new output", "later"));
    all.add(port("nothing changed", "later"));
    return all;
  }

  private Measured port(String title, String out) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            launcher.toString(),
            "port",
            tree.toString(),
            "--out",
            scratch.resolve(out).toString(),
            "--times",
            "--quiet");
    double before = processorOfChildren();
    long start = System.nanoTime();
    Exec.Outcome outcome =
        Exec.run(
            command, scratch, Map.of("ROCPORT_CACHE", scratch.resolve("cache").toString()), LIMIT);
    double wall = (System.nanoTime() - start) / 1e9;
    if (outcome.code() > 1 || outcome.timedOut()) {
      throw new IOException("the port failed: " + outcome.stderr().strip());
    }
    String phases =
        outcome
            .stderr()
            .lines()
            .filter(l -> l.startsWith(TIMES))
            .map(l -> l.substring(TIMES.length()))
            .findFirst()
            .orElse("");
    return new Measured(title, wall, processorOfChildren() - before, phases);
  }

  /** Returns the processor time of all ended children in seconds; proc(5), cutime and cstime. */
  private static double processorOfChildren() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS;
  }
}
