package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The processes of one executor that audit. There are at most as many as tasks run at once. One
 * that failed or has done its number of repositories is replaced.
 */
final class WorkerPool {
  private static final Map<WorkerSettings, WorkerPool> POOLS = new ConcurrentHashMap<>();

  private final WorkerSettings settings;
  private final ConcurrentLinkedDeque<WorkerProcess> idle = new ConcurrentLinkedDeque<>();

  private WorkerPool(WorkerSettings settings) {
    this.settings = settings;
  }

  /** The pool of this virtual machine. */
  static WorkerPool of(WorkerSettings settings) {
    return POOLS.computeIfAbsent(settings, WorkerPool::new);
  }

  /** Ends the processes that have nothing to do. */
  static void endAll() {
    for (WorkerPool pool : POOLS.values()) {
      for (WorkerProcess w = pool.idle.poll(); w != null; w = pool.idle.poll()) {
        w.close();
      }
    }
  }

  /**
   * Runs a command line of rocport in one of the processes.
   *
   * @param output where its standard output goes
   * @param ending what an unexpected end of the process is called
   */
  WorkerProcess.Answer run(Path output, List<String> args, Failure.Kind ending)
      throws Failure, IOException, InterruptedException {
    WorkerProcess worker = take();
    boolean works = false;
    try {
      WorkerProcess.Answer answer = worker.run(output, args, ending);
      works = true;
      return answer;
    } finally {
      if (works && worker.isUsable()) {
        idle.push(worker);
      } else {
        worker.close();
      }
    }
  }

  private WorkerProcess take() throws IOException {
    for (WorkerProcess w = idle.poll(); w != null; w = idle.poll()) {
      if (w.isUsable()) {
        return w;
      }
      w.close();
    }
    return new WorkerProcess(settings);
  }
}
