package dev.rocport.device.check.sync;

import dev.rocport.device.check.Certainty;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.Site;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The workgroups of a cooperative launch, and whether all reach the grid barrier. */
final class GridMeeting {
  /** What HIP's grid barrier is inlined from. */
  private static final String HEADER = "hip_cooperative_groups";

  private static final Comparator<Wave> FIRST =
      Comparator.<Wave>comparingInt(w -> w.group.z())
          .thenComparingInt(w -> w.group.y())
          .thenComparingInt(w -> w.group.x())
          .thenComparingInt(w -> w.number);

  private final LaunchView launch;
  private @Nullable Place waits;
  private @Nullable Place elsewhere;

  private record Place(Wave wave, Site site) {}

  GridMeeting(LaunchView launch) {
    this.launch = launch;
  }

  /** A wave of a workgroup that has ended. */
  synchronized void ended(Wave wave, long lanes) {
    if (elsewhere == null || FIRST.compare(wave, elsewhere.wave()) < 0) {
      elsewhere = new Place(wave, launch.site("the missing blocks end", wave, lanes));
    }
  }

  /** A wave of a workgroup that was stopped because the kernel hangs. */
  synchronized void stopped(Wave wave, long lanes) {
    if (wave.state == WaveState.ENDED) {
      return;
    }
    boolean atGrid = wave.state == WaveState.GRID_BARRIER;
    Site site = launch.site("blocks wait for the whole grid", wave, lanes);
    if (atGrid || site.calls().contains(HEADER)) {
      if (waits == null || FIRST.compare(wave, waits.wave()) < 0) {
        waits = new Place(wave, site);
      }
    } else if (elsewhere == null || elsewhere.wave().state == WaveState.ENDED) {
      elsewhere = new Place(wave, launch.site("another block is here", wave, lanes));
    }
  }

  synchronized Optional<Finding> finding() {
    if (waits == null) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            Check.SYNC,
            Certainty.CERTAIN,
            "a grid barrier that some blocks do not reach",
            waits.site(),
            elsewhere == null ? List.of() : List.of(elsewhere.site()),
            "The barrier releases no block until every block of the launch has arrived: the kernel"
                + " hangs, on the rocport device as on hardware.",
            "Make every block call sync() the same number of times: instead of returning early, put"
                + " conditions around the work between the barriers, and compute loop counts that"
                + " are the same in all blocks."));
  }
}
