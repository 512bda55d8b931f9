package dev.rocport.device.server;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Checks;
import dev.rocport.device.check.DelayedPlaces;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.copies.CopyChecker;
import dev.rocport.device.check.order.Order;
import dev.rocport.device.check.race.RaceChecker;
import dev.rocport.device.check.race.Races;
import dev.rocport.device.check.sync.SyncChecker;
import dev.rocport.device.check.uninit.Uninit;
import dev.rocport.device.dispatch.LoadedCode;
import java.util.ArrayList;
import java.util.List;

/** Creates the checks of a program. */
public final class Checkers {
  /** What takes the place of memory comes first, who looks at registers goes around all others. */
  private static final List<Check> ORDER =
      List.of(Check.ORDER, Check.RACE, Check.SYNC, Check.UNINIT);

  private Checkers() {}

  /**
   * The checks that are on; the first goes around the plain operation, each other around that.
   *
   * @param places what may be late
   * @param races what all programs of the device do
   */
  public static List<Checker> of(
      Checks checks, Findings findings, DelayedPlaces places, Races races) {
    List<Checker> all = new ArrayList<>();
    for (Check check : ORDER) {
      if (checks.has(check)) {
        all.addAll(checkers(check, checks, findings, places, races));
      }
    }
    return List.copyOf(all);
  }

  private static List<Checker> checkers(
      Check check, Checks checks, Findings findings, DelayedPlaces places, Races races) {
    return switch (check) {
      case SYNC -> List.of(new SyncChecker(findings::add, LoadedCode::translate));
      case UNINIT -> List.of(new Uninit(findings, LoadedCode::translate));
      case RACE -> List.of(new RaceChecker(findings, races));
      case MEMORY -> List.of();
      case ORDER ->
          List.of(new Order(checks.seed().orElse(0), findings, places), new CopyChecker(findings));
    };
  }
}
