package dev.rocport.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does several trials at a time. */
final class Trials {
  private Trials() {}

  /**
   * The results of all, in their order; the first that fails ends those that have not begun.
   *
   * @param jobs how many at a time
   * @throws VerifyException what made one of them fail
   */
  static <T> List<T> all(List<Callable<T>> trials, int jobs)
      throws InterruptedException, VerifyException {
    try (ExecutorService threads = Executors.newFixedThreadPool(jobs)) {
      List<Future<T>> futures = trials.stream().map(threads::submit).toList();
      List<T> results = new ArrayList<>();
      try {
        for (Future<T> f : futures) {
          results.add(f.get());
        }
      } catch (ExecutionException e) {
        throw new VerifyException(String.valueOf(e.getCause()));
      } finally {
        threads.shutdownNow();
      }
      return results;
    }
  }
}
