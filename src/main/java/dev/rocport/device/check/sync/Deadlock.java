package dev.rocport.device.check.sync;

import dev.rocport.device.check.Certainty;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.Site;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Waves of a workgroup that wait for stores to LDS that none of them can do. Only the waves of a
 * workgroup can change its LDS.
 */
final class Deadlock {
  /** Waves that a finding shows. */
  private static final int MOST_WAVES = 4;

  private Deadlock() {}

  /**
   * Whether each wave has ended, waits at the barrier of the workgroup, or repeats a loop exactly
   * until LDS changes; at least one does the last.
   */
  static boolean isIn(List<Wave> waves) {
    return looping(waves).findAny().isPresent() && waves.stream().allMatch(Deadlock::stands);
  }

  private static Stream<Wave> looping(List<Wave> waves) {
    return waves.stream().filter(w -> runs(w) && SyncWatch.notes(w).spin != null);
  }

  private static boolean runs(Wave wave) {
    return switch (wave.state) {
      case READY, YIELDED -> true;
      case ENDED, BARRIER, GRID_BARRIER -> false;
    };
  }

  private static boolean stands(Wave wave) {
    return switch (wave.state) {
      case ENDED, BARRIER -> true;
      // Other workgroups release it.
      case GRID_BARRIER -> false;
      case READY, YIELDED -> {
        Spin spin = SyncWatch.notes(wave).spin;
        yield spin != null
            && spin.exact()
            && spin.polls().stream().allMatch(p -> p.isIn(wave.group) && p.isUnchanged());
      }
    };
  }

  /** The finding with the places of the loops and barriers. */
  static Optional<Finding> finding(LaunchView launch, List<Wave> waves) {
    List<Wave> looping = looping(waves).limit(MOST_WAVES).toList();
    if (looping.isEmpty()) {
      return Optional.empty();
    }
    List<Site> sites = new ArrayList<>();
    looping.forEach(w -> loop(launch, w).ifPresent(sites::add));
    waves.stream()
        .filter(w -> w.state == WaveState.BARRIER)
        .limit(MOST_WAVES)
        .forEach(
            w ->
                sites.add(
                    launch.site(
                        "waits at a barrier for the waves in loops",
                        SyncWatch.notes(w).barrier,
                        w.group,
                        w.number,
                        SyncWatch.notes(w).came)));
    if (sites.isEmpty()) {
      return Optional.empty();
    }
    String waits =
        looping.stream()
            .map(w -> Waiting.words(w, SyncWatch.notes(w).waited(w), poll(w)))
            .collect(Collectors.joining(" "));
    return Optional.of(
        new Finding(
            Check.SYNC,
            Certainty.CERTAIN,
            "waves of a block wait forever for stores to shared memory",
            sites.getFirst(),
            sites.subList(1, sites.size()),
            waits
                + " No other wave can release them: only the waves of a block store to its shared"
                + " memory, and each has ended, waits at a barrier or is in such a loop.",
            "Make sure that the store does not come after the loop or barrier at which its own wave"
                + " waits. Two CUDA warps can be one AMD wave, whose lanes do not progress"
                + " independently (rocport explain W64-HANDOVER)."));
  }

  private static Optional<Spin.Poll> poll(Wave wave) {
    Spin spin = SyncWatch.notes(wave).spin;
    return spin == null ? Optional.empty() : spin.polls().stream().findFirst();
  }

  private static Optional<Site> loop(LaunchView launch, Wave wave) {
    Spin spin = SyncWatch.notes(wave).spin;
    return poll(wave)
        .map(
            p ->
                launch.site(
                    "lanes wait in a loop for another value",
                    p.pc(),
                    wave.group,
                    wave.number,
                    spin == null ? p.lanes() : spin.lanes()));
  }
}
