package dev.rocport.port;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Runs one task per file on a fixed number of threads; files start in order. */
final class Workers {
  /** Deeply nested source needs deep recursion; only touched pages use memory. */
  private static final long STACK = 64L << 20;

  private final int jobs;

  Workers(int jobs) {
    this.jobs = jobs;
  }

  /**
   * Runs {@code task} for 0 to {@code count - 1} and returns when all are done. An exception of a
   * task ends the run and is rethrown here; tasks turn expected failures into results.
   */
  void forEach(int count, IntConsumer task) {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Runnable loop =
        () -> {
          int i;
          while ((i = next.getAndIncrement()) < count && failure.get() == null) {
            try {
              task.accept(i);
            } catch (Throwable t) {
              failure.compareAndSet(null, t);
            }
          }
        };
    List<Thread> threads = new ArrayList<>();
    for (int k = 0; k < Math.min(jobs, count); k++) {
      Thread thread = new Thread(null, loop, "rocport-" + k, STACK);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      join(thread);
    }
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable t -> throw new IllegalStateException(t);
    }
  }

  private static void join(Thread thread) {
    boolean ended = false;
    while (!ended) {
      try {
        thread.join();
        ended = true;
      } catch (InterruptedException e) {
        // Only the end of the program interrupts this thread.
        ended = !thread.isAlive();
      }
    }
  }
}
