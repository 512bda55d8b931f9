package dev.rocport.toolchain;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Compiles of several sources, as many at a time as there are processors. */
final class ParallelCompiles {
  private ParallelCompiles() {}

  /** One compile; gives the object that it made. */
  interface Compile {
    Path run() throws IOException, InterruptedException, ToolchainException;
  }

  /**
   * Runs them all.
   *
   * @return the objects, in the order of the compiles
   * @throws IOException also if the thread is interrupted
   */
  static List<Path> run(List<Compile> compiles) throws IOException, ToolchainException {
    List<Path> made = new ArrayList<>();
    try (ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      List<Future<Path>> running = new ArrayList<>();
      for (Compile c : compiles) {
        running.add(workers.submit(c::run));
      }
      for (Future<Path> one : running) {
        made.add(one.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while compiling", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case ToolchainException t -> throw t;
        case IOException io -> throw io;
        case null, default -> throw new IllegalStateException(e);
      }
    }
    return made;
  }
}
