package dev.rocport.device.dispatch;

import dev.rocport.device.check.Checker;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.wave.Wave;
import java.util.List;

/**
 * The checks of one program.
 *
 * @param checkers in the order in which they go around operations
 */
public record Watching(List<Checker> checkers) {
  /** A plain run. */
  public static final Watching NOTHING = new Watching(List.of());

  /** All checks' eyes on a launch. */
  LaunchWatch launch(LaunchView launch) {
    List<LaunchWatch> all =
        checkers.stream().map(c -> c.launch(launch)).filter(w -> w != LaunchWatch.NONE).toList();
    return switch (all.size()) {
      case 0 -> LaunchWatch.NONE;
      case 1 -> all.getFirst();
      default -> new Several(all);
    };
  }

  private record Several(List<LaunchWatch> all) implements LaunchWatch {
    @Override
    public void groupBegan(List<Wave> waves) {
      all.forEach(w -> w.groupBegan(waves));
    }

    @Override
    public void turnBegins(Wave wave) {
      all.forEach(w -> w.turnBegins(wave));
    }

    @Override
    public void turnEnds(Wave wave) {
      all.forEach(w -> w.turnEnds(wave));
    }

    @Override
    public void waveEnded(Wave wave) {
      all.forEach(w -> w.waveEnded(wave));
    }

    @Override
    public void barrier(List<Wave> waves) {
      all.forEach(w -> w.barrier(waves));
    }

    @Override
    public void arrivedAtGridBarrier(Wave wave) {
      all.forEach(w -> w.arrivedAtGridBarrier(wave));
    }

    @Override
    public void leftGridBarrier(Wave wave) {
      all.forEach(w -> w.leftGridBarrier(wave));
    }

    @Override
    public void groupEnded(List<Wave> waves) {
      all.forEach(w -> w.groupEnded(waves));
    }

    @Override
    public void ended() {
      all.forEach(LaunchWatch::ended);
    }
  }
}
