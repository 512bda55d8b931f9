package dev.rocport.toolchain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs of other programs at the same time: compiles, downloads, unpacking. */
public final class ParallelTasks {
  private ParallelTasks() {}

  /**
   * Runs tasks, as many at a time as there are processors.
   *
   * @return the results, in the order of the tasks
   * @throws IOException also if the thread is interrupted
   */
  public static <T> List<T> run(List<? extends Callable<T>> tasks)
      throws IOException, ToolchainException {
    return run(tasks, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Runs tasks; the first one that fails ends the others.
   *
   * @param most how many run at a time
   * @return the results, in the order of the tasks
   * @throws IOException also if the thread is interrupted
   */
  public static <T> List<T> run(List<? extends Callable<T>> tasks, int most)
      throws IOException, ToolchainException {
    List<T> results = new ArrayList<>();
    try (ExecutorService workers = Executors.newFixedThreadPool(Math.max(1, most))) {
      try {
        List<Future<T>> running = new ArrayList<>();
        for (Callable<T> task : tasks) {
          running.add(workers.submit(task));
        }
        for (Future<T> one : running) {
          results.add(result(one));
        }
      } finally {
        workers.shutdownNow();
      }
    }
    return results;
  }

  /**
   * Waits for a task.
   *
   * @throws IOException also if the thread is interrupted
   */
  public static <T> T result(Future<T> task) throws IOException, ToolchainException {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while other programs were running", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case ToolchainException t -> throw t;
        case IOException io -> throw io;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }
}
