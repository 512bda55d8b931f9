package dev.rocport.device.check;

import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation that a check runs with something before or after it. */
public abstract class AroundOp extends Op {
  /** The operation without the check. */
  protected final Op plain;

  protected AroundOp(Op plain) {
    super(plain.instruction());
    this.plain = plain;
  }

  /** {@link Op#actions} of the operation without the check as one; null where it has none. */
  protected final @Nullable Action plainly() {
    List<Action> all = plain.actions();
    return all == null ? null : all.stream().reduce(Then::new).orElse((_, _) -> {});
  }

  private record Then(Action first, Action second) implements Action {
    @Override
    public void run(Wave wave, long exec) {
      first.run(wave, exec);
      second.run(wave, exec);
    }
  }
}
