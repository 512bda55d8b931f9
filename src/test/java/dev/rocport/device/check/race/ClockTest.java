package dev.rocport.device.check.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clocks against the order that a list of events has by its definition. */
final class ClockTest {
  private static final int LAUNCH = 7;

  /** Random traces of waves that release to places and acquire from them. */
  private static final class Trace {
    final int waves;
    final Crowd crowd = new Crowd();
    final Clock[] clocks;
    final int[] ticks;
    final List<Long> epochs = new ArrayList<>();
    final List<BitSet> before = new ArrayList<>();
    final BitSet[] known;
    final Clock[] places;
    final BitSet[] released;

    Trace(int waves, int places) {
      this.waves = waves;
      this.clocks = new Clock[waves];
      this.ticks = new int[waves];
      this.known = new BitSet[waves];
      this.places = new Clock[places];
      this.released = new BitSet[places];
      for (int i = 0; i < waves; i++) {
        clocks[i] = Clock.EMPTY;
        ticks[i] = 1;
        known[i] = new BitSet();
      }
      for (int i = 0; i < places; i++) {
        this.places[i] = Clock.EMPTY;
        this.released[i] = new BitSet();
      }
    }

    void access(int wave) {
      epochs.add(Epoch.of(Epoch.actor(LAUNCH, wave), ticks[wave]));
      before.add((BitSet) known[wave].clone());
      known[wave].set(epochs.size() - 1);
    }

    void release(int wave, int place) {
      Clock own =
          Clock.of(
              new long[] {Epoch.actor(LAUNCH, wave)},
              new int[] {ticks[wave]},
              new int[] {ticks[wave]});
      places[place] = places[place].join(clocks[wave], crowd).join(own, crowd);
      released[place].or(known[wave]);
      ticks[wave]++;
    }

    void acquire(int wave, int place) {
      clocks[wave] = clocks[wave].join(places[place], crowd);
      known[wave].or(released[place]);
    }

    boolean covers(int wave, int event) {
      long epoch = epochs.get(event);
      return Epoch.actor(epoch) == Epoch.actor(LAUNCH, wave)
          || clocks[wave].covers(epoch, false, crowd);
    }

    Trace run(Random random, int events) {
      for (int n = 0; n < events; n++) {
        int wave = random.nextInt(waves);
        int place = random.nextInt(places.length);
        switch (random.nextInt(4)) {
          case 0, 1 -> access(wave);
          case 2 -> release(wave, place);
          default -> acquire(wave, place);
        }
      }
      return this;
    }
  }

  @Test
  void fewWavesAreOrderedExactlyAsTheClosureSays() {
    for (int seed = 0; seed < 200; seed++) {
      Trace trace = new Trace(8, 3).run(new Random(seed), 200);
      for (int wave = 0; wave < trace.waves; wave++) {
        for (int event = 0; event < trace.epochs.size(); event++) {
          if (trace.covers(wave, event) != trace.known[wave].get(event)) {
            throw new AssertionError("seed %d, wave %d, event %d".formatted(seed, wave, event));
          }
        }
      }
    }
  }

  @Test
  void ofManyWavesNothingThatIsOrderedGetsLost() {
    int more = 0;
    int unordered = 0;
    for (int seed = 0; seed < 5; seed++) {
      Trace trace = new Trace(300, 5).run(new Random(seed), 3000);
      for (int wave = 0; wave < trace.waves; wave++) {
        for (int event = 0; event < trace.epochs.size(); event++) {
          boolean ordered = trace.known[wave].get(event);
          boolean covered = trace.covers(wave, event);
          if (ordered && !covered) {
            throw new AssertionError("seed %d, wave %d, event %d".formatted(seed, wave, event));
          }
          more += covered && !ordered ? 1 : 0;
          unordered += ordered ? 0 : 1;
        }
      }
    }
    // The crowd orders too much, but still finds most unordered accesses.
    assertThat(more).isLessThan(unordered / 2);
  }

  @Test
  void theTicksOfAWorkgroupAreThoseThatTheClockCovers() {
    for (int seed = 0; seed < 50; seed++) {
      Trace trace = new Trace(8, 3).run(new Random(seed), 200);
      // waves 2 to 5, and beyond the last one
      for (int first : List.of(2, 6)) {
        for (Clock clock : trace.clocks) {
          int[] ticks = clock.inLds(Epoch.actor(LAUNCH, first), 4);
          for (int i = 0; i < ticks.length; i++) {
            long actor = Epoch.actor(LAUNCH, first + i);
            for (int tick = 1; tick < 100; tick++) {
              assertThat(tick <= ticks[i])
                  .isEqualTo(clock.covers(Epoch.of(actor, tick), true, trace.crowd));
            }
          }
        }
      }
    }
  }

  @Test
  void joinsThatAreKeptAreThoseOfTheClocks() {
    Random random = new Random(1);
    Crowd crowd = new Crowd();
    Joins joins = new Joins(crowd);
    Clock[] clocks = new Clock[6];
    Arrays.setAll(
        clocks,
        i -> Clock.of(new long[] {Epoch.actor(LAUNCH, i)}, new int[] {i + 1}, new int[] {i + 1}));
    for (int n = 0; n < 1000; n++) {
      Clock one = clocks[random.nextInt(clocks.length)];
      Clock other = clocks[random.nextInt(clocks.length)];
      for (Clock joined : List.of(joins.ofAgent(one, other), joins.ofSystem(other, one))) {
        for (int i = 0; i < clocks.length; i++) {
          long epoch = Epoch.of(Epoch.actor(LAUNCH, i), i + 1);
          assertThat(joined.covers(epoch, false, crowd))
              .isEqualTo(one == clocks[i] || other == clocks[i]);
        }
      }
    }
  }

  @Test
  void theCrowdIsAskedAgainWhereAWaveHasReleasedMore() {
    Crowd crowd = new Crowd();
    Joins joins = new Joins(crowd);
    long[] actors = new long[Location.EXACT];
    Arrays.setAll(actors, i -> Epoch.actor(LAUNCH, i));
    int[] ticks = {3, 3, 3, 3};
    Clock before = joins.crowd(actors, ticks);
    assertThat(joins.crowd(actors, ticks)).isSameAs(before);
    ticks[2] = 9;
    Clock after = joins.crowd(actors, ticks);
    assertThat(after.covers(Epoch.of(actors[2], 9), false, crowd)).isTrue();
  }

  @Test
  void withoutALaunchTheOthersAreLeft() {
    Crowd crowd = new Crowd();
    long[] actors = {Epoch.actor(3, 8), Epoch.actor(LAUNCH, 1), Epoch.actor(9, 0)};
    Clock clock = Clock.of(actors, new int[] {5, 6, 7}, new int[] {1, 2, 3});
    Clock others = clock.without(LAUNCH);

    assertThat(others.covers(Epoch.of(actors[0], 5), false, crowd)).isTrue();
    assertThat(others.covers(Epoch.of(actors[0], 2), true, crowd)).isFalse();
    assertThat(others.covers(Epoch.of(actors[1], 1), false, crowd)).isFalse();
    assertThat(others.covers(Epoch.of(actors[2], 7), false, crowd)).isTrue();
    assertThat(clock.without(LAUNCH + 1)).isSameAs(clock);
    assertThat(others.without(3).without(9).isEmpty()).isTrue();
  }

  @Test
  void aClockKnowsItsLaunchesAlsoByWayOfTheCrowd() {
    Crowd crowd = new Crowd();
    Clock few = Clock.of(new long[] {Epoch.actor(3, 8)}, new int[] {5}, new int[1]);
    assertThat(few.hasLaunch(launch -> launch == 3, crowd)).isTrue();
    assertThat(few.hasLaunch(launch -> launch == 4, crowd)).isFalse();
    Clock before = Clock.at(crowd.join(new long[] {Epoch.actor(4, 1)}, new int[] {1}));
    crowd.join(new long[] {Epoch.actor(5, 1)}, new int[] {1});
    assertThat(before.hasLaunch(launch -> launch == 4, crowd)).isTrue();
    assertThat(before.hasLaunch(launch -> launch == 5, crowd)).isFalse();
    crowd.forget(4);
    assertThat(before.hasLaunch(launch -> launch == 4, crowd)).isFalse();
  }

  @Test
  void aMillionWavesFitIntoOneClock() {
    Crowd crowd = new Crowd();
    Clock clock = Clock.EMPTY;
    int waves = 1_000_000;
    for (int wave = 0; wave < waves; wave++) {
      long[] actor = {Epoch.actor(LAUNCH, wave)};
      clock = clock.join(Clock.of(actor, new int[] {3}, new int[1]), crowd);
    }
    for (int wave = 0; wave < waves; wave += 997) {
      long actor = Epoch.actor(LAUNCH, wave);
      assertThat(clock.covers(Epoch.of(actor, 3), false, crowd)).isTrue();
      assertThat(clock.covers(Epoch.of(actor, 4), false, crowd)).isFalse();
    }
    assertThat(clock.covers(Epoch.of(Epoch.actor(LAUNCH, waves), 1), false, crowd)).isFalse();
    assertThat(clock.covers(Epoch.of(Epoch.actor(LAUNCH + 1, 5), 1), false, crowd)).isFalse();
  }

  @Test
  void aNarrowerPieceOfAWordIsNoneOfTheOthers() {
    int info =
        PackedAccess.inLane(
            PackedAccess.withBytes(PackedAccess.of(0x12345, true, true), 0b0110), 63);
    assertThat(PackedAccess.place(info)).isEqualTo(0x12345);
    assertThat(PackedAccess.lane(info)).isEqualTo(63);
    assertThat(PackedAccess.bytes(info)).isEqualTo(0b0110);
    assertThat(PackedAccess.isAtomic(info)).isTrue();
    assertThat(PackedAccess.isNarrow(info)).isTrue();
    assertThat(PackedAccess.isNarrow(PackedAccess.of(5, true, false))).isFalse();
  }
}
