package dev.rocport.device.check.sync;

import dev.rocport.device.op.scalar.Sopp;
import dev.rocport.device.wave.Notes;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import org.jspecify.annotations.Nullable;

/** The state that this check keeps for a wave. */
final class WaveNotes implements Notes {
  private static final long FIRST_PATIENCE = 1 << 15;
  private static final long MOST_PATIENCE = 1 << 24;

  final SyncWatch watch;

  /** The lanes that have a thread. */
  final long threads;

  /** The barrier that it reached last: an index of its code. */
  int barrier = -1;

  /** The lanes that reached it. */
  long came;

  final LeftOut leftOut = new LeftOut();

  /** Which of its values come from lanes that were not there; null while none has. */
  @Nullable Shadow shadow;

  /** A shuffle whose result was not noted yet, and the register it goes to. */
  @Nullable Origin fresh;

  int freshTo;

  /** The loop that it was last seen to wait in, or null. */
  volatile @Nullable Spin spin;

  /** Its instructions when it was first seen to wait in that loop. */
  private long waits;

  /** How often in a row it waited where all others of its launch did. */
  int rounds;

  /** Instructions after which its loops are looked at. */
  private long patience = FIRST_PATIENCE;

  private long lookedAt;
  private long turns;
  private final Follower follower = new Follower(this);

  WaveNotes(SyncWatch watch, long threads) {
    this.watch = watch;
    this.threads = threads;
  }

  /** The wave has signaled the barrier of its workgroup. */
  void signals(Wave wave) {
    barrier = wave.pc - 1;
    came = wave.exec();
    spin = null; // it has left the loop
  }

  /** The wave waits at that barrier. */
  void waitsAtBarrier(Wave wave) {
    long missing = threads & ~came;
    if (missing != 0 && !isLast(wave) && watch.wants(barrier)) {
      leftOut.add(barrier, came, missing);
      follow(wave);
    }
  }

  /**
   * Whether the program ends after the barrier. Lanes of a branch that ended before it are not
   * re-enabled then, since they have nothing left to do.
   */
  private static boolean isLast(Wave wave) {
    int pc = wave.pc;
    while (true) {
      String name = wave.code.at(pc).instruction().name();
      if (name.equals("s_endpgm")) {
        return true;
      }
      boolean nothing =
          name.equals("s_waitcnt")
              || name.startsWith("s_waitcnt_")
              || name.equals("s_sendmsg")
              || Sopp.WITHOUT_EFFECT.contains(name);
      if (!nothing) {
        return false;
      }
      pc++;
    }
  }

  /** A shuffle that runs now reads lanes that do not take part. */
  void absent(Wave wave, Origin origin, int to) {
    if (!watch.wants(origin.pc())) {
      return;
    }
    fresh = origin;
    freshTo = to;
    if (wave.stepper != follower) {
      follow(wave);
      wave.state = WaveState.YIELDED;
    }
  }

  /** The turn of the wave is over, and it will continue. */
  void turnEnded(Wave wave) {
    turns++;
    if (wave.stepper == null
        && (turns > patience >> 4 || wave.instructions - lookedAt > patience)) {
      wave.stepper = new SpinProbe(this);
    }
  }

  /** The result of examining the wave's loops; null if it makes progress. */
  void looked(Wave wave, @Nullable Spin found) {
    turns = 0;
    lookedAt = wave.instructions;
    Spin before = spin;
    if (found != null && (before == null || before.head() != found.head())) {
      waits = wave.instructions;
    }
    spin = found;
    if (found == null) {
      patience = Math.min(2 * patience, MOST_PATIENCE);
      rounds = 0;
    } else {
      patience = FIRST_PATIENCE / 2;
      watch.spins(wave, this, found);
    }
  }

  /** The instructions that the wave has run since it was first seen to wait in its loop. */
  long waited(Wave wave) {
    return wave.instructions - waits;
  }

  /** Looks at each instruction from the next on. */
  void follow(Wave wave) {
    spin = null; // nobody looks at its loops meanwhile
    wave.stepper = follower;
  }
}
