package dev.rocport.device.dispatch;

import dev.rocport.device.wave.Temporaries;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs the workgroups of all launches of all programs and GPUs, in turns, so that waves that wait
 * for each other all come on.
 *
 * <p>A queue holds workgroups and, for each launch, a door. Who takes a door from the queue lets a
 * new workgroup in and puts the door back behind the others. Workgroups that end within their first
 * turns keep their launch small; where they wait for ones that have not started, the door lets more
 * and more in, up to what the GPU can hold.
 */
public final class Scheduler implements AutoCloseable {
  private final Deque<Task> queue = new ArrayDeque<>();
  private final Thread[] workers;
  private boolean closed;

  private sealed interface Task {}

  private record Door(Launch launch) implements Task {}

  private record Resident(Launch launch, Workgroup group) implements Task {}

  /** Starts {@code threads} workers. */
  public Scheduler(int threads) {
    workers = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      workers[i] = Thread.ofPlatform().daemon().name("rocport-waves-" + i).start(this::work);
    }
  }

  /** Lets a launch run; it tells itself when it has ended. */
  public void start(Launch launch) {
    put(new Door(launch));
  }

  private void put(Task task) {
    synchronized (queue) {
      queue.addLast(task);
      queue.notify();
    }
  }

  private Task take() throws InterruptedException {
    synchronized (queue) {
      while (queue.isEmpty() && !closed) {
        queue.wait();
      }
      if (closed) {
        throw new InterruptedException();
      }
      return queue.removeFirst();
    }
  }

  private void work() {
    Temporaries temporaries = new Temporaries();
    try {
      while (true) {
        switch (take()) {
          case Door(Launch launch) -> admit(launch, temporaries);
          case Resident(Launch launch, Workgroup group) -> run(launch, group, temporaries);
        }
      }
    } catch (InterruptedException e) {
      // The scheduler was closed.
      Thread.currentThread().interrupt();
    }
  }

  private void admit(Launch launch, Temporaries temporaries) {
    if (launch.liveGroups() >= launch.resident()) {
      // Full: the door stays in the queue, behind those that have to end first.
      put(new Door(launch));
      LockSupport.parkNanos(FULL_PAUSE);
      return;
    }
    long index = launch.takeGroup();
    if (index < 0) {
      launch.finishIfDone();
      return;
    }
    if (launch.hasMoreGroups()) {
      put(new Door(launch));
    }
    Workgroup group;
    try {
      group = new Workgroup(launch, index, temporaries);
    } catch (RuntimeException | OutOfMemoryError e) {
      launch.stop(
          new KernelFault(
              KernelFault.Kind.UNSUPPORTED, "workgroup " + index + " cannot start: " + e));
      launch.groupEnded(0, 0);
      return;
    }
    run(launch, group, temporaries);
  }

  private void run(Launch launch, Workgroup group, Temporaries temporaries) {
    for (int turns = 0; turns < TURNS; turns++) {
      Workgroup.Outcome outcome =
          launch.isStopped() ? Workgroup.Outcome.ENDED : group.turn(temporaries);
      switch (outcome) {
        case ENDED -> {
          group.close();
          return;
        }
        case WAITING -> {
          put(new Resident(launch, group));
          return;
        }
        case RUNNING -> {}
      }
    }
    put(new Resident(launch, group));
  }

  /** Nanoseconds that a worker rests where a launch has as many workgroups as the GPU holds. */
  private static final long FULL_PAUSE = 20_000;

  /** Turns that a workgroup has before others come first. */
  private static final int TURNS = 8;

  @Override
  public void close() {
    synchronized (queue) {
      closed = true;
      queue.notifyAll();
    }
  }
}
