package dev.rocport.io.process;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A started program with all of its descendants. None outlives rocport. */
public final class ProcessTree implements AutoCloseable {
  /** For programs that clean up on termination, as mpirun does: its ranks, its files. */
  public static final Duration GRACE = Duration.ofSeconds(3);

  /** How long the system may take to end what was killed. */
  private static final Duration DEATH = Duration.ofSeconds(5);

  private static final Set<ProcessTree> LIVE = ConcurrentHashMap.newKeySet();
  private static volatile boolean stopping;

  static {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(ProcessTree::endAll, "rocport-stop"));
    } catch (IllegalStateException e) {
      // The first program of all would start while rocport is shutting down.
      stopping = true;
    }
  }

  private final Process process;
  private final Duration grace;

  private ProcessTree(Process process, Duration grace) {
    this.process = process;
    this.grace = grace;
  }

  /**
   * Starts a program.
   *
   * @param grace the grace period after a termination request; zero: it is killed immediately
   * @throws IOException if it cannot be started
   * @throws InterruptedException if rocport is shutting down
   */
  static ProcessTree start(ProcessBuilder builder, Duration grace)
      throws IOException, InterruptedException {
    ProcessTree tree = new ProcessTree(builder.start(), grace);
    LIVE.add(tree);
    // Other threads may be on their way to a new process while the first ones are ended.
    if (stopping) {
      tree.close();
    }
    requireGoing();
    return tree;
  }

  private static void requireGoing() throws InterruptedException {
    if (stopping) {
      throw new InterruptedException("rocport is shutting down");
    }
  }

  private static void endAll() {
    stopping = true;
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      LIVE.forEach(tree -> all.execute(tree::end));
    }
  }

  /** The program itself, for its streams. */
  public Process process() {
    return process;
  }

  /** Whether the program still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Asks the program to terminate, and does not wait for that. */
  public void terminate() {
    process.destroy();
  }

  /**
   * Waits for the program to end.
   *
   * @return whether it did in time
   * @throws InterruptedException also if rocport is shutting down: how the program ended says
   *     nothing
   */
  public boolean await(Duration limit) throws InterruptedException {
    boolean ended = process.waitFor(limit);
    requireGoing();
    return ended;
  }

  /**
   * Waits for the program to end, however long that takes.
   *
   * @return its exit code; 128 and the signal's number if it was killed
   * @throws InterruptedException also if rocport is shutting down
   */
  public int await() throws InterruptedException {
    int code = process.waitFor();
    requireGoing();
    return code;
  }

  /** Ends the program, if it still runs, and all that it started. */
  public void end() {
    if (!process.isAlive()) {
      return;
    }
    List<ProcessHandle> all = process.descendants().toList();
    if (grace.isPositive()) {
      process.destroy();
      died(grace);
    }
    // The program goes first: one that sees its children die could end with a code of its own.
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    died(DEATH);
  }

  private void died(Duration limit) {
    try {
      process.waitFor(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    end();
    LIVE.remove(this);
  }
}
