package dev.rocport.io.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A program to start: its command, its settings, and three ways to start it. {@link #run()}
 * captures its output, {@link #await} leaves its streams where the settings send them, {@link
 * #start} does not wait. No program outlives rocport.
 *
 * <p>Without settings, a program runs in rocport's folder with rocport's variables, reads an empty
 * input, has all the time that it needs, and is killed with everything it started.
 */
public final class Exec {
  /** Output beyond this limit is cut: a runaway program must not fill memory. */
  private static final int OUTPUT_LIMIT = 4 << 20;

  /** A program that writes more than this without end must not fill the disk either. */
  private static final long RUNAWAY = 256L << 20;

  private static final Duration WATCH = Duration.ofMillis(200);

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

  /**
   * How a program ended whose output is not captured.
   *
   * @param code exit code; 128 and the signal's number if it was killed
   * @param timedOut it reached a limit of its settings and was ended
   */
  public record Ended(int code, boolean timedOut) {}

  private final ProcessBuilder builder;
  private final List<Path> files = new ArrayList<>();
  private Optional<Duration> limit = Optional.empty();
  private Duration grace = Duration.ZERO;
  private BooleanSupplier stop = () -> false;
  private long mostWritten = RUNAWAY;
  private int mostRead = OUTPUT_LIMIT;

  private Exec(List<String> command) {
    this.builder =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
  }

  /**
   * A program with its arguments.
   *
   * @param command a file, or a name on rocport's {@code PATH}, and the arguments
   */
  public static Exec of(List<String> command) {
    return new Exec(new ArrayList<>(command));
  }

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
   * @param stop asked several times a second
   */
  public static Outcome run(
      List<String> command,
      Path directory,
      Map<String, String> environment,
      Duration limit,
      BooleanSupplier stop)
      throws IOException, InterruptedException {
    Exec exec = of(command).in(directory).with(environment).limit(limit);
    exec.environment().values().removeIf(String::isEmpty);
    exec.stop = stop;
    return exec.run();
  }

  /** Replaces the command, for settings that it depends on. */
  public Exec command(List<String> command) {
    builder.command(command);
    return this;
  }

  /**
   * Runs in a session and a process group of its own, so that a signal that the program sends to
   * its group reaches only the program and what it started. Needs {@code setsid} on rocport's
   * {@code PATH}; without it, the group is that of rocport.
   */
  public Exec apart() {
    // It replaces itself with the program, since it leads no group when rocport starts it.
    SearchPath.find("setsid", System.getenv())
        .ifPresent(s -> builder.command().addFirst(s.toString()));
    return this;
  }

  /** Runs in this folder. */
  public Exec in(Path folder) {
    builder.directory(folder.toFile());
    return this;
  }

  /** Sets variables on top of rocport's own. */
  public Exec with(Map<String, String> variables) {
    builder.environment().putAll(variables);
    return this;
  }

  /** The program's variables; changes of this map are settings. */
  public Map<String, String> environment() {
    return builder.environment();
  }

  /** Ends the program after this time. */
  public Exec limit(Duration time) {
    limit = Optional.of(time);
    return this;
  }

  /** Asks the program to terminate before it is killed, and waits this long in between. */
  public Exec grace(Duration time) {
    grace = time;
    return this;
  }

  /**
   * Ends the program when it has written more.
   *
   * @param bytes to one of its output files
   */
  public Exec writesAtMost(long bytes) {
    mostWritten = bytes;
    return this;
  }

  /** Keeps so many bytes of each captured output and drops the rest; 4 MiB without this. */
  public Exec keeps(int bytes) {
    mostRead = bytes;
    return this;
  }

  /** Sends standard error to the same place as standard output. */
  public Exec merged() {
    builder.redirectErrorStream(true);
    return this;
  }

  /** Drops standard error. */
  public Exec withoutErrors() {
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    return this;
  }

  /** Sends standard output to a file. */
  public Exec output(Path file) {
    builder.redirectOutput(file.toFile());
    files.add(file);
    return this;
  }

  /** Sends standard error to a file. */
  public Exec errors(Path file) {
    builder.redirectError(file.toFile());
    files.add(file);
    return this;
  }

  /** Leaves all streams to the terminal, or to wherever those of rocport lead. */
  public Exec terminal() {
    builder.inheritIO();
    return this;
  }

  /** Reads what is written to the started process. */
  public Exec piped() {
    builder.redirectInput(ProcessBuilder.Redirect.PIPE);
    return this;
  }

  /**
   * Runs the program to its end, or to its limits, and captures what it writes.
   *
   * @throws IOException if the program cannot be started
   */
  public Outcome run() throws IOException, InterruptedException {
    Path out = Files.createTempFile("rocport", ".out");
    Path err = Files.createTempFile("rocport", ".err");
    try {
      output(out);
      errors(err);
      Ended ended = await();
      return new Outcome(ended.code(), ended.timedOut(), read(out), read(err));
    } finally {
      files.clear();
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }

  /**
   * Runs the program to its end, or to its limits. Its streams lead where the settings send them.
   *
   * @throws IOException if the program cannot be started
   */
  public Ended await() throws IOException, InterruptedException {
    try (ProcessTree tree = start()) {
      boolean ended = ended(tree);
      tree.end();
      return new Ended(tree.isAlive() ? KILLED : tree.await(), !ended);
    }
  }

  /**
   * Starts the program and does not wait for it. No limit of the settings holds but the grace
   * period.
   *
   * @throws IOException if the program cannot be started
   */
  public ProcessTree start() throws IOException, InterruptedException {
    return ProcessTree.start(builder, grace);
  }

  /** Waits for the end, and watches the limits. */
  private boolean ended(ProcessTree tree) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (true) {
      Duration left = limit.map(l -> l.minusNanos(System.nanoTime() - start)).orElse(WATCH);
      Duration next = left.compareTo(WATCH) < 0 ? left : WATCH;
      if (tree.await(next.isNegative() ? Duration.ZERO : next)) {
        return true;
      }
      if (!left.isPositive() || stop.getAsBoolean() || writesTooMuch()) {
        return false;
      }
    }
  }

  private boolean writesTooMuch() throws IOException {
    for (Path file : files) {
      if (Files.exists(file) && Files.size(file) > mostWritten) {
        return true;
      }
    }
    return false;
  }

  private String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(mostRead), StandardCharsets.UTF_8);
    }
  }
}
