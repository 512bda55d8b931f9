package dev.rocport.device.dispatch;

import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.memory.Heap;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Stepper;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Traffic;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import dev.rocport.device.wave.WaveTrap;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A resident workgroup: its waves, LDS and scratch. One thread at a time runs it. */
final class Workgroup {
  /**
   * Scratch of a lane if the compiler does not know its size: recursion, calls through pointers.
   */
  private static final int DYNAMIC_STACK = 16384;

  /** The result of a turn. */
  enum Outcome {
    ENDED,
    /** It ran and can continue. */
    RUNNING,
    /** All its waves wait for others. */
    WAITING
  }

  private final Launch launch;
  private final Wave[] waves;
  private final List<Wave> all;
  private final int[] barrierGenerations;
  private final long lds;
  private final long scratch;
  private final Turns turns;
  private final Team team;
  private final long index;
  private final @Nullable Traffic traffic;
  private int stuckAt = -1;
  private int arrived;
  private boolean met;

  /**
   * Starts workgroup {@code index}.
   *
   * @throws OutOfMemoryError if there is not enough memory; nothing is held then
   * @throws WaveTrap if the kernel cannot start
   */
  Workgroup(Launch launch, long index, Temporaries temporaries) {
    this.launch = launch;
    this.index = index;
    LaunchRequest.Dim3 place = launch.request().grid().place(index);
    int count = waves(launch);
    int ldsSize = launch.lds();
    int perLane = scratchPerLane(launch);
    SplittableRandom random = launch.options().random(index);
    Poison poison = new Poison(random);
    this.turns = new Turns(count, launch.options().turns(), random);
    this.waves = new Wave[count];
    this.barrierGenerations = new int[count];
    this.traffic = launch.options().trace().kernels() ? new Traffic() : null;
    this.lds = Heap.take(Math.max(ldsSize, 16));
    long stack = 0;
    try {
      stack = perLane == 0 ? 0 : Heap.take((long) count * perLane * Wave.LANES);
      Memory.fill(lds, ldsSize, poison.octet());
      Group group = new Group(launch, lds, ldsSize, place.x(), place.y(), place.z());
      WaveSetup setup = new WaveSetup(launch, poison);
      for (int i = 0; i < count; i++) {
        long at = perLane == 0 ? 0 : stack + (long) i * perLane * Wave.LANES;
        waves[i] = setup.wave(group, i, at, perLane, temporaries);
        waves[i].traffic = traffic;
      }
    } catch (RuntimeException | Error e) {
      Heap.give(lds);
      if (stack != 0) {
        Heap.give(stack);
      }
      throw e;
    }
    this.scratch = stack;
    this.all = List.of(waves);
    this.team = new Team(waves);
    launch.watch().groupBegan(all);
  }

  /** The waves of each workgroup of a launch. */
  static int waves(Launch launch) {
    int lanes = launch.lanes();
    return (int) ((launch.request().block().count() + lanes - 1) / lanes);
  }

  /** Bytes of the Java heap that the registers of a workgroup use. */
  static long registerBytes(Launch launch) {
    return waves(launch)
        * (launch.kernel().descriptor().vgprs(launch.target()) * 4L * Wave.LANES + 1024);
  }

  private static int scratchPerLane(Launch launch) {
    int fixed = launch.kernel().descriptor().scratchPerLane();
    int wanted =
        launch.kernel().descriptor().usesDynamicStack() ? Math.max(fixed, DYNAMIC_STACK) : fixed;
    return wanted + 3 & ~3;
  }

  /** Lets every wave run for a slice. */
  Outcome turn(Temporaries temporaries) {
    boolean ran =
        launch.watch() == LaunchWatch.NONE
            && team.run(launch, index, turns.order(), turns.slice(), temporaries);
    boolean alive = false;
    for (int i : turns.order()) {
      Wave wave = waves[i];
      if (wave.state == WaveState.YIELDED) {
        wave.state = WaveState.READY;
      } else if (wave.state == WaveState.GRID_BARRIER
          && barrierGenerations[i] != launch.barrierGeneration()) {
        wave.state = WaveState.READY;
        launch.watch().leftGridBarrier(wave);
      }
      if (wave.state == WaveState.READY) {
        wave.temporaries = temporaries;
        launch.watch().turnBegins(wave);
        try {
          run(wave, i);
        } finally {
          launch.watch().turnEnds(wave);
        }
        ran |= wave.state == WaveState.READY || wave.state == WaveState.ENDED;
      }
      alive |= wave.state != WaveState.ENDED;
      if (launch.isStopped()) {
        return Outcome.ENDED;
      }
    }
    if (!alive) {
      return Outcome.ENDED;
    }
    int before = arrived;
    arrived = atBarrier();
    met = arrived > before;
    if (releaseBarrier()) {
      arrived = 0;
      return Outcome.RUNNING;
    }
    if (ran) {
      return Outcome.RUNNING;
    }
    tellIfStuck();
    return Outcome.WAITING;
  }

  /**
   * Whether waves of it have come to a barrier in its last turn, and not only waited there: those
   * that they wait for may wait for other workgroups.
   */
  boolean meets() {
    return met;
  }

  private int atBarrier() {
    int count = 0;
    for (Wave wave : waves) {
      count += wave.state == WaveState.BARRIER ? 1 : 0;
    }
    return count;
  }

  /** What its waves have run. */
  long instructions() {
    long sum = 0;
    for (Wave wave : waves) {
      sum += wave.instructions;
    }
    return sum;
  }

  private void tellIfStuck() {
    int generation = launch.barrierGeneration();
    if (stuckAt == generation) {
      return;
    }
    for (int i = 0; i < waves.length; i++) {
      WaveState state = waves[i].state;
      boolean waits =
          state == WaveState.GRID_BARRIER
              ? barrierGenerations[i] == generation
              : state == WaveState.BARRIER || state == WaveState.ENDED;
      if (!waits) {
        return;
      }
    }
    stuckAt = generation;
    launch.stuck(generation);
  }

  private void run(Wave wave, int index) {
    try {
      if (launch.options().trace().hasWave(launch.kernel(), this.index, index)) {
        new IsaTrace(launch).run(wave, turns.slice());
      } else {
        go(wave, turns.slice());
      }
      if (wave.state == WaveState.ENDED) {
        launch.watch().waveEnded(wave);
        launch.progress();
      }
      if (wave.state == WaveState.GRID_BARRIER) {
        // Before it arrives: who comes last begins the next generation.
        barrierGenerations[index] = launch.barrierGeneration();
        launch.watch().arrivedAtGridBarrier(wave);
        launch.arriveAtGridBarrier();
      }
    } catch (MemoryFault e) {
      launch.stop(FaultReport.of(launch, wave, e));
    } catch (WaveTrap e) {
      launch.stop(FaultReport.of(launch, wave, e));
    } catch (IndexOutOfBoundsException e) {
      launch.stop(
          FaultReport.of(
              launch,
              wave,
              new WaveTrap("a register that the kernel does not declare: " + e.getMessage())));
    } catch (RuntimeException | Error e) {
      launch.stop(FaultReport.broken(launch, wave, e));
    }
  }

  private static void go(Wave wave, int slice) {
    Stepper stepper = wave.stepper;
    if (stepper == null) {
      wave.run(slice);
      stepper = wave.stepper;
      if (stepper == null || wave.state != WaveState.YIELDED) {
        return;
      }
      wave.state = WaveState.READY;
    }
    stepper.run(wave, slice);
  }

  /** An ended wave counts as arrived. */
  private boolean releaseBarrier() {
    return launch.gpu().target().has(Feature.RDNA4_ENCODINGS)
        ? releaseSignaled()
        : releaseArrived();
  }

  /** Lets those waves go on for whose barrier all others have signaled. */
  private boolean releaseSignaled() {
    int all = Integer.MAX_VALUE;
    for (Wave wave : waves) {
      if (wave.state != WaveState.ENDED) {
        all = Math.min(all, wave.barrierSignals);
      }
    }
    boolean released = false;
    for (Wave wave : waves) {
      if (wave.state == WaveState.BARRIER && wave.barrierWaits <= all) {
        wave.state = WaveState.READY;
        released = true;
      }
    }
    if (released) {
      launch.watch().barrier(this.all);
    }
    return released;
  }

  private boolean releaseArrived() {
    boolean waiting = false;
    for (Wave wave : waves) {
      if (wave.state == WaveState.BARRIER) {
        waiting = true;
      } else if (wave.state != WaveState.ENDED) {
        return false;
      }
    }
    if (!waiting) {
      return false;
    }
    launch.watch().barrier(all);
    for (Wave wave : waves) {
      if (wave.state == WaveState.BARRIER) {
        wave.state = WaveState.READY;
      }
    }
    return true;
  }

  /** Gives back what it held. */
  void close(Temporaries temporaries) {
    launch.watch().groupEnded(all);
    Heap.give(lds);
    if (scratch != 0) {
      Heap.give(scratch);
    }
    if (traffic != null) {
      launch.moved(traffic);
    }
    long instructions = instructions();
    try {
      for (Wave wave : waves) {
        if (launch.isStalled()) {
          launch.snapshots().add(launch, wave);
        }
      }
    } finally {
      launch.groupEnded(instructions, waves.length);
    }
    all.forEach(temporaries::recycle);
  }
}
