package dev.rocport.build;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Runs programs, with a limit on their time; none outlives rocport. */
final class Exec {
  /** More output than this is cut: nobody reads it, and a runaway program must not fill memory. */
  private static final int OUTPUT_LIMIT = 4 << 20;

  /** A program that writes more than this without end must not fill the disk either. */
  private static final long RUNAWAY = 256L << 20;

  private static final long WATCH = TimeUnit.SECONDS.toNanos(1);

  private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();
  private static volatile boolean stopping;

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  stopping = true;
                  LIVE.forEach(Exec::kill);
                },
                "rocport-build-stop"));
  }

  /**
   * How a program ended.
   *
   * @param code exit code; 128 and the signal's number if it was killed
   * @param timedOut it took too long or wrote without end, and was killed
   * @param stdout standard output; empty if it was sent elsewhere
   * @param stderr standard error
   */
  record Outcome(int code, boolean timedOut, String stdout, String stderr) {
    boolean ok() {
      return code == 0 && !timedOut;
    }

    /** Killed from outside, most often for want of memory. */
    boolean killed() {
      return !timedOut && (code == 137 || code == 143 || code == 129 || code == 130);
    }
  }

  private Exec() {}

  /**
   * @param environment set on top of rocport's own
   * @throws IOException if the program cannot be started
   */
  static Outcome run(
      List<String> command, Path directory, Map<String, String> environment, Duration limit)
      throws IOException, InterruptedException {
    return run(command, directory, environment, limit, () -> false);
  }

  /**
   * The same, killed also once it is told to stop.
   *
   * @param stop asked once a second
   */
  static Outcome run(
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
      Process process = builder.start();
      LIVE.add(process);
      boolean ended = false;
      try {
        // Other workers may be on their way to a new process while the first ones are killed.
        if (stopping) {
          throw new InterruptedException("rocport is stopping");
        }
        long deadline = System.nanoTime() + limit.toNanos();
        boolean goesOn = true;
        while (!ended && goesOn) {
          long left = deadline - System.nanoTime();
          ended = process.waitFor(Math.clamp(left, 0, WATCH), TimeUnit.NANOSECONDS);
          goesOn = left > 0 && !stop.getAsBoolean() && written(out) + written(err) < RUNAWAY;
        }
      } finally {
        if (!ended) {
          kill(process);
          process.waitFor(5, TimeUnit.SECONDS);
        }
        LIVE.remove(process);
      }
      int code = process.isAlive() ? 137 : process.exitValue();
      return new Outcome(code, !ended, read(out), read(err));
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }

  private static long written(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(OUTPUT_LIMIT), StandardCharsets.UTF_8);
    }
  }
}
