package dev.rocport.bench;

import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures how fast files with warp code are ported, with and without the rules about 32 and 64
 * lanes.
 */
public final class WarpSpeed {
  private static final RuleFilter WITHOUT = new RuleFilter(List.of(), List.of("W64*"));
  private static final int MEGABYTES = 20;

  /** So many bytes are ported in each measurement. */
  private static final long ENOUGH = 6_000_000;

  /**
   * So many bytes are ported with all rules before the rate is taken: until then the compiler of
   * the virtual machine takes as much of the processor's time as the port itself.
   */
  private static final long WARM_UP = 36_000_000;

  private final Path folder;

  /** Measures in this folder, which must exist. */
  public WarpSpeed(Path folder) {
    this.folder = folder;
  }

  /**
   * The speed of one set of files.
   *
   * @param title what they are
   * @param files how many
   * @param bytes their size
   * @param cold megabytes a second of processor time with all rules at first, the virtual machine's
   *     compiler at work
   * @param with the same when that is done
   * @param without the same without those about warps
   */
  public record Row(
      String title, int files, long bytes, double cold, double with, double without) {}

  /** Ports a synthetic tree's files with warp code, and real programs of warp code. */
  public List<Row> measure(List<Path> programs) throws IOException {
    Benchmark all = new Benchmark(folder, 1);
    Benchmark some = new Benchmark(folder, 1, PortOptions.DEFAULT.with(WITHOUT));
    Path synthetic = all.generate(MEGABYTES);
    Path warps = folder.resolve("warps");
    Files.move(synthetic.resolve(FileClass.WARP.folder()), warps);
    Path copies = Files.createDirectories(folder.resolve("programs"));
    for (Path program : programs) {
      copy(program, copies.resolve(String.valueOf(program.getFileName())));
    }
    List<Row> rows =
        List.of(
            row("files with warp code of the synthetic tree", all, some, warps),
            row("these programs", all, some, copies));
    for (Path tree : List.of(synthetic, warps, copies)) {
      Benchmark.delete(tree);
    }
    return rows;
  }

  private static Row row(String title, Benchmark all, Benchmark some, Path tree)
      throws IOException {
    Benchmark.Measured once = all.whole(tree);
    double cold = rate(all, tree, ENOUGH);
    rate(all, tree, WARM_UP - ENOUGH);
    rate(some, tree, ENOUGH);
    return new Row(
        title, once.files(), once.bytes(), cold, rate(all, tree, ENOUGH), rate(some, tree, ENOUGH));
  }

  private static double rate(Benchmark benchmark, Path tree, long least) throws IOException {
    long bytes = 0;
    long nanos = 0;
    while (bytes < least) {
      Benchmark.Measured m = benchmark.whole(tree);
      bytes += m.bytes();
      nanos += m.cpuNanos();
    }
    return bytes / 1e6 / (nanos / 1e9);
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(from)) {
      files = walk.filter(f -> f.toString().matches(".*\\.(cu|cuh|h|hpp|cpp|c)")).sorted().toList();
    }
    for (Path file : files) {
      Path copy = to.resolve(from.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
