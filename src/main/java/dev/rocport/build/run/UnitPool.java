package dev.rocport.build.run;

import dev.rocport.build.compile.Compilation;
import dev.rocport.build.unit.Unit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Compiles units in parallel. */
public final class UnitPool {
  private final int jobs;
  private final BuildListener listener;

  public UnitPool(int jobs, BuildListener listener) {
    this.jobs = jobs;
    this.listener = listener;
  }

  /** Compiles one unit. */
  public interface Task {
    Compilation of(Unit unit) throws IOException, InterruptedException;
  }

  /**
   * Returns the results in the order of the units.
   *
   * @param verb the beginning of the progress message
   */
  public List<Compilation> run(List<Unit> units, Task task, Function<Compilation, String> verb)
      throws IOException, InterruptedException {
    AtomicInteger done = new AtomicInteger();
    int total = units.size();
    ExecutorService pool =
        Executors.newFixedThreadPool(Math.max(1, Math.min(jobs, Math.max(1, total))));
    try {
      List<Future<Compilation>> futures = new ArrayList<>();
      for (Unit unit : units) {
        futures.add(
            pool.submit(
                () -> {
                  Compilation c = task.of(unit);
                  listener.step(done.incrementAndGet(), total, verb.apply(c) + unit.path());
                  return c;
                }));
      }
      List<Compilation> made = new ArrayList<>();
      for (Future<Compilation> f : futures) {
        made.add(f.get());
      }
      return made;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw new IOException(io.getMessage(), io);
        case RuntimeException bug -> throw bug;
        case null, default -> throw new IllegalStateException(e);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
