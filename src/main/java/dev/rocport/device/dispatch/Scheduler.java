package dev.rocport.device.dispatch;

import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.WaveTrap;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the workgroups of all launches of all programs and GPUs, in turns, so that waves that wait
 * for each other all make progress.
 *
 * <p>Launches take turns, however many workgroups they have; in a launch its workgroups do. Among
 * them stands a door: who takes it lets a new workgroup in and puts the door back behind the
 * others. Workgroups that end within their first turns keep their launch small; where none ends for
 * some rounds, they may wait for ones that have not started, so the door lets in more at once, up
 * to what the GPU can hold.
 *
 * <p>Where all that is resident sleeps or waits, workers rest for longer and longer, up to a
 * millisecond.
 */
public final class Scheduler implements AutoCloseable {
  /** Turns that a new workgroup has before others come first, without chance. */
  private static final int FIRST_TURNS = 8;

  /** Rounds in which no workgroup ends, after which a door lets in twice as many. */
  private static final int PATIENCE = 8;

  private static final int MOST_AT_ONCE = 256;

  /** Among so many of a launch's workgroups chance finds the next one. */
  private static final int MOST_SKIPS = 32;

  /** Waves whose wait depends on random choices may continue when they are examined again. */
  private static final int LOOKS_BY_CHANCE = 64;

  /** Nanoseconds. */
  private static final long SHORTEST_REST = 20_000;

  private static final long LONGEST_REST = 1_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition rest = lock.newCondition();

  /** Lines with something to do, each once. */
  private final Deque<Line> ring = new ArrayDeque<>();

  private final AtomicLong registers = new AtomicLong();
  private final long mostRegisters = Runtime.getRuntime().maxMemory() / 2;
  private int queued;

  /** How often everything is looked at, before a rest. */
  private int looks = 1;

  /** Turns since the last progress. */
  private int fruitless;

  /** Turns until the next rest if nothing makes progress. */
  private int beforeRest;

  private int rests;
  private boolean closed;

  private sealed interface Task {}

  private record Door() implements Task {}

  private record Start() implements Task {}

  private record Resident(Workgroup group) implements Task {}

  /** The tasks of a launch that no worker is processing. */
  private static final class Line {
    final Launch launch;
    final Deque<Task> tasks = new ArrayDeque<>();
    int rounds;
    int batch = 1;
    long endedBefore;

    private final @Nullable SplittableRandom random;

    Line(Launch launch) {
      this.launch = launch;
      this.random = launch.options().random(-1);
    }

    /** Tasks to pass over for the next one: none, or as chance will have it. */
    int skips() {
      return random == null ? 0 : random.nextInt(Math.min(tasks.size(), MOST_SKIPS));
    }

    /**
     * Instructions that a workgroup may run before others come first, if it runs less than that in
     * a turn, as between barriers: what it needs is in the processor's caches then.
     */
    long instructions() {
      return random == null ? Turns.SLICE : 0;
    }

    /**
     * Whether a workgroup whose waves are meeting at a barrier goes on before others come: where
     * chance rules, mostly, for the processor's caches.
     */
    boolean goesOn() {
      return random != null && random.nextInt(8) != 0;
    }

    /** Turns that a new workgroup has before others come first. */
    int firstTurns() {
      return random == null ? FIRST_TURNS : random.nextInt(FIRST_TURNS) * random.nextInt(2);
    }
  }

  private record Turn(Line line, Task task) {}

  /** Starts {@code threads} workers. */
  public Scheduler(int threads) {
    for (int i = 0; i < threads; i++) {
      Thread.ofPlatform().daemon().name("rocport-waves-" + i).start(this::work);
    }
  }

  /** Lets a launch run; it tells itself when it has ended. */
  public void start(Launch launch) {
    Line line = new Line(launch);
    lock.lock();
    try {
      if (line.random != null) {
        looks = LOOKS_BY_CHANCE;
      }
      fruitful(true);
      put(line, new Door());
    } finally {
      lock.unlock();
    }
  }

  /**
   * The same, and runs a first part of it on the calling thread: all of a small launch, which would
   * take less time than to wake a worker. Not for a launch whose order depends on a seed.
   *
   * @param temporaries the calling thread's
   */
  public void start(Launch launch, Temporaries temporaries) {
    fruitful(true);
    step(new Turn(new Line(launch), new Door()), temporaries);
  }

  private void put(Line line, Task task) {
    lock.lock();
    try {
      if (line.tasks.isEmpty()) {
        ring.addLast(line);
      }
      line.tasks.addLast(task);
      queued++;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  private Turn take() throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        if (ring.isEmpty()) {
          work.await();
        } else if (fruitless > (queued + 1) * looks && beforeRest <= 0) {
          // Everything has been examined, and nothing made progress.
          beforeRest = queued;
          rest.awaitNanos(Math.min(LONGEST_REST, SHORTEST_REST << Math.min(rests++, 10)));
        } else {
          beforeRest--;
          return next();
        }
      }
      throw new InterruptedException("closed");
    } finally {
      lock.unlock();
    }
  }

  private Turn next() {
    Line line = ring.removeFirst();
    for (int i = line.skips(); i > 0; i--) {
      line.tasks.addLast(line.tasks.removeFirst());
    }
    Task task = line.tasks.removeFirst();
    queued--;
    if (!line.tasks.isEmpty()) {
      ring.addLast(line);
    }
    return new Turn(line, task);
  }

  private void fruitful(boolean came) {
    lock.lock();
    try {
      if (!came) {
        fruitless++;
      } else if (fruitless > 0) {
        fruitless = 0;
        beforeRest = 0;
        rests = 0;
        rest.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    Temporaries temporaries = new Temporaries();
    try {
      while (true) {
        step(take(), temporaries);
      }
    } catch (InterruptedException e) {
      // The scheduler was closed.
      Thread.currentThread().interrupt();
    }
  }

  private void step(Turn turn, Temporaries temporaries) {
    Line line = turn.line();
    try {
      switch (turn.task()) {
        case Door _ -> admit(line, true, temporaries);
        case Start _ -> admit(line, false, temporaries);
        case Resident(Workgroup group) -> run(line, group, 1, temporaries);
      }
    } catch (RuntimeException | Error e) {
      // Nothing that a launch does may cost the others their worker.
      line.launch.stop(new KernelFault(KernelFault.Kind.UNSUPPORTED, "bug in the device: " + e));
    }
  }

  /** Whether there is room for one more workgroup of a launch. */
  private boolean hasRoom(Launch launch) {
    long live = launch.liveGroups();
    return live < launch.resident()
        && (live == 0
            || launch.request().cooperative()
            || registers.get() + Workgroup.registerBytes(launch) < mostRegisters);
  }

  private void admit(Line line, boolean door, Temporaries temporaries) {
    Launch launch = line.launch;
    if (launch.hasMoreGroups() && !hasRoom(launch)) {
      // Full: the door waits behind the workgroups that must end first.
      fruitful(false);
      if (door) {
        put(line, new Door());
      }
      return;
    }
    long index = launch.takeGroup();
    if (index < 0) {
      launch.finishIfDone();
      return;
    }
    if (door) {
      reopen(line);
    }
    Workgroup group;
    try {
      group = new Workgroup(launch, index, temporaries);
      registers.addAndGet(Workgroup.registerBytes(launch));
    } catch (WaveTrap e) {
      giveUp(launch, KernelFault.Kind.TRAP, String.valueOf(e.getMessage()));
      return;
    } catch (RuntimeException | Error e) {
      giveUp(launch, KernelFault.Kind.UNSUPPORTED, "workgroup " + index + " cannot start: " + e);
      return;
    }
    run(line, group, line.firstTurns(), temporaries);
  }

  private static void giveUp(Launch launch, KernelFault.Kind kind, String reason) {
    launch.stop(new KernelFault(kind, reason));
    launch.groupEnded(0, 0);
  }

  /** Puts the door back, after starts of more workgroups if residents do not end. */
  private void reopen(Line line) {
    lock.lock();
    try {
      long ended = line.launch.endedGroups();
      if (ended != line.endedBefore || line.tasks.isEmpty()) {
        line.rounds = 0;
        line.batch = 1;
      } else if (++line.rounds % PATIENCE == 0) {
        line.batch = Math.min(2 * line.batch, MOST_AT_ONCE);
      }
      line.endedBefore = ended;
      for (int i = 1; i < line.batch; i++) {
        put(line, new Start());
      }
      if (line.launch.hasMoreGroups()) {
        put(line, new Door());
      }
    } finally {
      lock.unlock();
    }
  }

  private void run(Line line, Workgroup group, int turns, Temporaries temporaries) {
    Launch launch = line.launch;
    try {
      long more = line.instructions();
      long end = more == 0 ? 0 : group.instructions() + more;
      boolean meets = false;
      for (int turn = 0;
          turn < turns || (more != 0 && group.instructions() < end) || (meets && line.goesOn());
          turn++) {
        Workgroup.Outcome outcome =
            launch.isStopped() ? Workgroup.Outcome.ENDED : group.turn(temporaries);
        meets = group.meets();
        if (outcome == Workgroup.Outcome.ENDED) {
          fruitful(true);
          end(launch, group, temporaries);
          return;
        }
        fruitful(outcome == Workgroup.Outcome.RUNNING);
        if (outcome == Workgroup.Outcome.WAITING) {
          break;
        }
      }
    } catch (RuntimeException | Error e) {
      launch.stop(new KernelFault(KernelFault.Kind.UNSUPPORTED, "bug in the device: " + e));
      end(launch, group, temporaries);
      return;
    }
    put(line, new Resident(group));
  }

  private void end(Launch launch, Workgroup group, Temporaries temporaries) {
    registers.addAndGet(-Workgroup.registerBytes(launch));
    group.close(temporaries);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      work.signalAll();
      rest.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
