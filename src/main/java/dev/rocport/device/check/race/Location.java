package dev.rocport.device.check.race;

import java.util.Arrays;

/**
 * A word that atomics use, and what they have made known there: to the workgroup, to the GPU, to
 * all. What was released stays so when something else is stored; that may order too much.
 */
final class Location {
  /** So many waves are kept exactly before they go to the crowd. */
  private static final int EXACT = 4;

  private static final int[] NONE = {};

  /** The workgroup that was last here. */
  private long firstActor;

  private int[] global = NONE;
  private int[] lds = NONE;
  private Clock groupSeen = Clock.EMPTY;

  /** The GPU that was last here. */
  private int gpu;

  private final long[] actors = new long[EXACT];
  private final int[] ticks = new int[EXACT];
  private int count;
  private Clock agentSeen = Clock.EMPTY;
  private Clock system = Clock.EMPTY;

  /** Of the last store here of which nothing tells whether it was atomic; 0 for none. */
  private long unknown;

  synchronized void storesUnknown(long epoch) {
    unknown = epoch;
  }

  synchronized long unknown() {
    return unknown;
  }

  /** A store or an update of a wave: what it has released goes with it. */
  synchronized void publish(WaveClock wave, boolean inLds) {
    GroupRaces group = wave.group;
    if (group.firstActor != firstActor) {
      firstActor = group.firstActor;
      global = new int[group.waves.length];
      lds = new int[group.waves.length];
      groupSeen = Clock.EMPTY;
    }
    int index = (int) (wave.actor - firstActor);
    global[index] = wave.released();
    // What a wave does to LDS is done in order: an update of LDS comes after all of it.
    lds[index] = inLds ? global[index] : wave.localReleased();
    groupSeen = groupSeen.join(wave.seen(), group.crowd());
    if (!inLds) {
      publish(wave, wave.agentRelease());
      if (wave.systemRelease().tick() != 0 || !wave.systemRelease().clock().isEmpty()) {
        system = system.join(wave.known(wave.systemRelease()), group.crowd());
      }
    }
  }

  private void publish(WaveClock wave, WaveClock.Release release) {
    if (release.tick() == 0 && release.clock().isEmpty()) {
      return;
    }
    Crowd crowd = wave.group.crowd();
    int on = wave.group.launch.view().gpuIndex();
    if (on != gpu) {
      gpu = on;
      count = 0;
      agentSeen = Clock.EMPTY;
    }
    agentSeen = agentSeen.join(release.clock(), crowd);
    if (release.tick() == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      if (actors[i] == wave.actor) {
        ticks[i] = release.tick();
        return;
      }
    }
    if (count == EXACT) {
      agentSeen = agentSeen.join(Clock.at(crowd.join(actors, ticks)), crowd);
      count = 0;
    }
    actors[count] = wave.actor;
    ticks[count] = release.tick();
    count++;
  }

  /**
   * A wave has read this value: everything released with it is ordered before the wave's next
   * operation.
   */
  synchronized void join(WaveClock wave) {
    GroupRaces group = wave.group;
    if (group.firstActor == firstActor) {
      long[] mates = new long[global.length];
      Arrays.setAll(mates, i -> firstActor + i);
      wave.acquired(Clock.of(mates, global.clone(), lds.clone()));
      wave.acquired(groupSeen);
    }
    if (group.launch.view().gpuIndex() == gpu) {
      wave.saw(agentSeen);
      for (int i = 0; i < count; i++) {
        wave.saw(Clock.of(new long[] {actors[i]}, new int[] {ticks[i]}, new int[1]));
      }
    }
    wave.saw(system);
  }
}
