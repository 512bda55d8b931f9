package dev.rocport.device.check.race;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A word that atomics use, and what they have made known there: to the workgroup, to the GPU, to
 * all. What was released stays so when something else is stored; that may order too much.
 */
final class Location {
  /** So many waves are kept exactly before they go to the crowd. */
  static final int EXACT = 4;

  /** The workgroup that was last here. */
  private long firstActor;

  /** The last word of each of its waves: a later one contains what an earlier one had. */
  private @Nullable Published[] mates = {};

  /** The GPU that was last here. */
  private int gpu;

  private long[] actors = {};
  private int[] ticks = {};
  private int count;
  private Clock agentSeen = Clock.EMPTY;
  private Clock system = Clock.EMPTY;

  /** The launch that has loaded what was stored last; 0 for none. */
  private int seenBy;

  /** Of the last store here of which nothing tells whether it was atomic; 0 for none. */
  private long unknown;

  synchronized void storesUnknown(long epoch) {
    unknown = epoch;
  }

  synchronized long unknown() {
    return unknown;
  }

  /** A store or an update of LDS, which only the threads of one workgroup use, one at a time. */
  void publishInLds(WaveClock wave, Published word) {
    GroupRaces group = wave.group;
    if (group.firstActor != firstActor) {
      firstActor = group.firstActor;
      if (mates.length == group.waves.length) {
        Arrays.fill(mates, null);
      } else {
        mates = new Published[group.waves.length];
      }
    }
    mates[(int) (wave.actor - firstActor)] = word;
  }

  /** A store or an update of a wave: what it has released goes with it. */
  synchronized void publish(WaveClock wave, Published word, Joins joins) {
    seenBy = 0;
    publishInLds(wave, word);
    publish(wave, word.agent(), joins);
    system = joins.ofSystem(system, word.system());
  }

  private void publish(WaveClock wave, WaveClock.Release release, Joins joins) {
    if (release.tick() == 0 && release.clock().isEmpty()) {
      return;
    }
    int on = wave.group.launch.view().gpuIndex();
    if (on != gpu) {
      gpu = on;
      count = 0;
      agentSeen = Clock.EMPTY;
    }
    agentSeen = joins.ofAgent(agentSeen, release.clock());
    if (release.tick() == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      if (actors[i] == wave.actor) {
        ticks[i] = release.tick();
        return;
      }
    }
    if (actors.length == 0) {
      actors = new long[EXACT];
      ticks = new int[EXACT];
    }
    if (count == EXACT) {
      agentSeen = joins.ofCrowd(agentSeen, joins.crowd(actors, ticks));
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
    seenBy = group.launch.number();
    if (group.firstActor == firstActor) {
      joinMates(wave);
    }
    if (group.launch.view().gpuIndex() == gpu) {
      wave.saw(agentSeen);
      for (int i = 0; i < count; i++) {
        wave.saw(Clock.of(new long[] {actors[i]}, new int[] {ticks[i]}, new int[1]));
      }
    }
    wave.saw(system);
  }

  /** Whether a launch that is ordered before an operation has loaded what was stored last. */
  synchronized boolean isSeenBefore(Happening by) {
    return seenBy != 0 && seenBy != by.number() && by.isAfter(seenBy);
  }

  private void joinMates(WaveClock wave) {
    int n = mates.length;
    long[] all = new long[n];
    int[] global = new int[n];
    int[] lds = new int[n];
    for (int i = 0; i < n; i++) {
      all[i] = firstActor + i;
      Published word = mates[i];
      if (word != null) {
        global[i] = word.global();
        lds[i] = word.lds();
      }
    }
    wave.acquired(Clock.of(all, global, lds));
    for (Published word : mates) {
      if (word != null) {
        wave.acquired(word.seen());
      }
    }
  }
}
