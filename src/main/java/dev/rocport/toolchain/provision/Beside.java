package dev.rocport.toolchain.provision;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs work on one other thread, in the order given; closing it ends what has not finished. */
final class Beside implements AutoCloseable {
  private final ExecutorService worker = Executors.newSingleThreadExecutor();

  <T> Future<T> start(Callable<T> work) {
    return worker.submit(work);
  }

  @Override
  public void close() {
    worker.shutdownNow();
    worker.close();
  }
}
