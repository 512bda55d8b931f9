package dev.rocport.device.dispatch;

import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.Map;
import java.util.TreeMap;

/** The positions of a kernel's waves when it was stopped. */
final class WaveSnapshots {
  private static final int MOST = 40;

  private record Sum(long waves, String example) {}

  private final Map<String, Sum> places = new TreeMap<>();
  private long others;
  private boolean divided;

  synchronized void add(Launch launch, Wave wave) {
    if (wave.state == WaveState.ENDED) {
      return;
    }
    String place = doing(wave.state) + " " + FaultReport.counter(launch, wave);
    Sum sum = places.get(place);
    if (sum != null) {
      places.put(place, new Sum(sum.waves() + 1, sum.example()));
    } else if (places.size() < MOST) {
      String example =
          "block (%d, %d, %d), wave %d%s"
              .formatted(
                  wave.group.x(),
                  wave.group.y(),
                  wave.group.z(),
                  wave.number,
                  wave.state == WaveState.READY || wave.state == WaveState.YIELDED
                      ? lanes(launch, wave)
                      : "");
      places.put(place, new Sum(1, example));
    } else {
      others++;
    }
  }

  /**
   * Returns which lanes are running and which are masked off, if a wave is divergent. Lanes that
   * have returned count as masked off.
   */
  private String lanes(Launch launch, Wave wave) {
    long threads = launch.request().block().count() - (long) wave.number * wave.lanes;
    long all =
        threads >= wave.lanes
            ? (wave.lanes == Wave.LANES ? -1 : (1L << wave.lanes) - 1)
            : (1L << threads) - 1;
    long running = wave.exec() & all;
    if (running == all || running == 0) {
      return "";
    }
    divided = true;
    return " (" + list(running) + " running, " + list(all & ~running) + " masked off)";
  }

  /** {@code lanes 0-3, 7}. */
  static String list(long lanes) {
    StringBuilder out = new StringBuilder(Long.bitCount(lanes) == 1 ? "lane " : "lanes ");
    for (int lane = 0; lane < Wave.LANES; lane++) {
      if (((lanes >>> lane) & 1) == 0) {
        continue;
      }
      int last = lane;
      while (last + 1 < Wave.LANES && ((lanes >>> (last + 1)) & 1) != 0) {
        last++;
      }
      out.append(out.charAt(out.length() - 1) == ' ' ? "" : ", ").append(lane);
      if (last > lane) {
        out.append('-').append(last);
      }
      lane = last;
    }
    return out.toString();
  }

  private static String doing(WaveState state) {
    return switch (state) {
      case READY -> "runs";
      case BARRIER -> "waits at a barrier of its block";
      case GRID_BARRIER -> "waits at a barrier of the grid";
      case YIELDED -> "sleeps";
      case ENDED -> "has ended";
    };
  }

  @Override
  public synchronized String toString() {
    StringBuilder out = new StringBuilder();
    places.forEach(
        (place, sum) ->
            out.append("\n  ")
                .append(sum.example())
                .append(sum.waves() == 1 ? "" : " and " + (sum.waves() - 1) + " more")
                .append(": ")
                .append(place));
    if (others > 0) {
      out.append("\n  and ").append(others).append(" waves elsewhere");
    }
    if (divided) {
      out.append(
          "\n"
              + "  Lanes of a wave run in lockstep: if a masked-off lane holds a lock, or has yet"
              + " to store what the other lanes wait for, they wait forever (rocport explain"
              + " W64-LOCK, W64-HANDOVER).");
    }
    return out.toString();
  }
}
