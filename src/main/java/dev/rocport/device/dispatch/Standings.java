package dev.rocport.device.dispatch;

import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.Map;
import java.util.TreeMap;

/** Where the waves of a kernel stood when it was stopped. */
final class Standings {
  private static final int MOST = 40;

  private record Sum(long waves, String example) {}

  private final Map<String, Sum> places = new TreeMap<>();
  private long others;

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
          "block (%d, %d, %d), wave %d"
              .formatted(wave.group.x(), wave.group.y(), wave.group.z(), wave.number);
      places.put(place, new Sum(1, example));
    } else {
      others++;
    }
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
    return others == 0 ? out.toString() : out + "\n  and " + others + " waves elsewhere";
  }
}
