package dev.rocport.device.check.race;

import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.List;
import java.util.function.Function;

/** A resident workgroup. */
final class GroupRaces {
  final LaunchRaces launch;
  final Group group;
  final Cells lds;

  /** The actor of its first wave; the others follow. */
  final long firstActor;

  final WaveClock[] waves;
  final LaneAccess access;

  GroupRaces(LaunchRaces launch, Group group, long number, List<Wave> waves, Cells lds) {
    this.launch = launch;
    this.group = group;
    this.lds = lds;
    this.firstActor = launch.actor(number * waves.size());
    this.waves = new WaveClock[waves.size()];
    for (int i = 0; i < this.waves.length; i++) {
      this.waves[i] = new WaveClock(waves.get(i), this, firstActor + i);
    }
    this.access = new LaneAccess(this, this.waves[0]);
    lds.begin(this);
  }

  Crowd crowd() {
    return launch.session().crowd();
  }

  boolean holds(long actor) {
    return actor >= firstActor && actor < firstActor + waves.length;
  }

  /** What all waves together have released. */
  private Clock released(long[] actors, Function<WaveClock, WaveClock.Release> scope) {
    int[] ticks = new int[waves.length];
    Clock others = Clock.EMPTY;
    boolean any = false;
    for (int i = 0; i < ticks.length; i++) {
      WaveClock.Release release = scope.apply(waves[i]);
      ticks[i] = release.tick();
      any |= ticks[i] != 0;
      others = others.join(release.clock(), crowd());
    }
    return any ? others.join(Clock.of(actors, ticks, new int[ticks.length]), crowd()) : others;
  }

  /**
   * All that have not ended meet: each comes after what all did. Accesses of global memory need no
   * wait inside of a workgroup, those of LDS do.
   */
  void barrier() {
    int n = waves.length;
    long[] actors = new long[n];
    int[] global = new int[n];
    int[] lds = new int[n];
    Clock before = Clock.EMPTY;
    Clock seen = Clock.EMPTY;
    boolean invalidated = false;
    for (int i = 0; i < n; i++) {
      WaveClock wave = waves[i];
      actors[i] = wave.actor;
      wave.look();
      boolean ended = wave.wave.state == WaveState.ENDED;
      int local = wave.localReleased();
      global[i] = wave.released();
      lds[i] = ended ? global[i] : local;
      before = before.join(wave.before(), crowd());
      seen = seen.join(wave.seen(), crowd());
      invalidated |= wave.isInvalidated();
    }
    Clock all = Clock.of(actors, global, lds);
    Clock agent = released(actors, WaveClock::agentRelease);
    Clock system = released(actors, WaveClock::systemRelease);
    before = before.join(all, crowd());
    seen = seen == before ? before : seen.join(all, crowd());
    for (WaveClock wave : waves) {
      wave.met(before, seen, agent, system, invalidated);
    }
  }
}
