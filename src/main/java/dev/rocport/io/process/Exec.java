package dev.rocport.io.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Runs programs with a time limit; none outlives rocport. */
public final class Exec {
  /** Output beyond this limit is cut: a runaway program must not fill memory. */
  private static final int OUTPUT_LIMIT = 4 << 20;

  /** A program that writes more than this without end must not fill the disk either. */
  private static final long RUNAWAY = 256L << 20;

  private static final Duration WATCH = Duration.ofSeconds(1);

  /** The exit code of a program that was killed. */
  private static final int KILLED = 137;

  /**
   * How a program ended.
   *
   * @param code exit code; 128 and the signal's number if it was killed
   * @param timedOut it took too long or wrote without end, and was killed
   * @param stdout standard output; empty if it was sent elsewhere
   * @param stderr standard error
   */
  public record Outcome(int code, boolean timedOut, String stdout, String stderr) {
    public boolean ok() {
      return code == 0 && !timedOut;
    }

    /** Killed from outside, most often for want of memory. */
    public boolean killed() {
      return !timedOut && (code == KILLED || code == 143 || code == 129 || code == 130);
    }
  }

  private Exec() {}

  /**
   * Runs a program and waits until it ends or its time is up.
   *
   * @param environment set on top of rocport's own; an empty value takes a variable out, since make
   *     would take it for what is to be called
   * @throws IOException if the program cannot be started
   */
  public static Outcome run(
      List<String> command, Path directory, Map<String, String> environment, Duration limit)
      throws IOException, InterruptedException {
    return run(command, directory, environment, limit, () -> false);
  }

  /**
   * The same, also killed on a stop request.
   *
   * @param stop asked once a second
   */
  public static Outcome run(
      List<String> command,
      Path directory,
      Map<String, String> environment,
      Duration limit,
      BooleanSupplier stop)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("rocport", ".out");
    Path err = Files.createTempFile("rocport", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      builder.environment().values().removeIf(String::isEmpty);
      try (ProcessTree tree = ProcessTree.start(builder, Duration.ZERO)) {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean ended = false;
        boolean goesOn = true;
        while (!ended && goesOn) {
          Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
          ended = tree.await(left.compareTo(WATCH) < 0 ? left : WATCH);
          goesOn =
              left.isPositive() && !stop.getAsBoolean() && written(out) + written(err) < RUNAWAY;
        }
        tree.end();
        int code = tree.process().isAlive() ? KILLED : tree.process().exitValue();
        return new Outcome(code, !ended, read(out), read(err));
      }
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }

  private static long written(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(OUTPUT_LIMIT), StandardCharsets.UTF_8);
    }
  }
}
