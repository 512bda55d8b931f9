package dev.rocport.device.check.sync;

import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Translator;
import java.util.function.Consumer;

/** Runs {@link dev.rocport.device.check.Check#SYNC} for one program. */
public final class SyncChecker implements Checker {
  private final Consumer<Finding> findings;
  private final Translator plain;

  /**
   * Of one program.
   *
   * @param plain makes operations that no check goes around
   */
  public SyncChecker(Consumer<Finding> findings, Translator plain) {
    this.findings = findings;
    this.plain = plain;
  }

  @Override
  public Op around(Op op) {
    return switch (op.instruction().name()) {
      case "s_barrier" -> BarrierOp.whole(op);
      case "s_barrier_signal", "s_barrier_signal_isfirst" -> BarrierOp.signal(op);
      case "s_barrier_wait" -> BarrierOp.wait(op);
      case "s_trap" -> new TrapOp(op);
      default -> ExchangeOp.around(op);
    };
  }

  @Override
  public LaunchWatch launch(LaunchView launch) {
    return new SyncWatch(launch, findings, plain);
  }
}
