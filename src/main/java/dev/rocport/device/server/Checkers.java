package dev.rocport.device.server;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Checks;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.order.Order;
import dev.rocport.device.check.race.RaceChecker;
import dev.rocport.device.check.sync.SyncChecker;
import dev.rocport.device.check.uninit.Uninit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the checks of a program. */
public final class Checkers {
  /** What takes the place of memory comes first, who looks at registers goes around all others. */
  private static final List<Check> ORDER =
      List.of(Check.ORDER, Check.RACE, Check.SYNC, Check.UNINIT);

  private Checkers() {}

  /** The checks that are on; the first goes around the plain operation, each other around that. */
  public static List<Checker> of(Checks checks, Findings findings) {
    List<Checker> all = new ArrayList<>();
    for (Check check : ORDER) {
      if (checks.has(check)) {
        checker(check, checks, findings).ifPresent(all::add);
      }
    }
    return List.copyOf(all);
  }

  private static Optional<Checker> checker(Check check, Checks checks, Findings findings) {
    return switch (check) {
      case SYNC -> Optional.of(new SyncChecker(findings::add));
      case UNINIT -> Optional.of(new Uninit(findings));
      case RACE -> Optional.of(new RaceChecker(findings));
      case ORDER -> Optional.of(new Order(checks.seed().orElse(0), findings));
    };
  }
}
