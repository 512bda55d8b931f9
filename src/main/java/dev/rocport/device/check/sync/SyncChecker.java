package dev.rocport.device.check.sync;

import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.wave.Op;
import java.util.function.Consumer;

/** {@link dev.rocport.device.check.Check#SYNC} of one program. */
public final class SyncChecker implements Checker {
  private final Consumer<Finding> findings;

  public SyncChecker(Consumer<Finding> findings) {
    this.findings = findings;
  }

  @Override
  public Op around(Op plain) {
    return plain.instruction().name().equals("s_barrier") ? new BarrierOp(plain) : plain;
  }

  @Override
  public LaunchWatch launch(LaunchView launch) {
    return new SyncWatch(launch, findings);
  }
}
