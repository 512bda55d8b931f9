package dev.rocport.device.check;

import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.op.vector.DppLanes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lane whose first source each lane reads under data-parallel primitives. */
public final class DppSources {
  /** Instead of a lane: the source is 0. */
  public static final int ZERO = -1;

  /** Instead of a lane: the lane is not written. */
  public static final int KEPT = -2;

  private final int[] lanes;
  private final long enabled;
  private final boolean boundControl;
  private final boolean fetchInactive;

  private DppSources(
      int[] lanes, int rowMask, int bankMask, boolean boundControl, boolean fetchInactive) {
    this.lanes = lanes;
    this.boundControl = boundControl;
    this.fetchInactive = fetchInactive;
    this.enabled = DppLanes.enabled(rowMask, bankMask);
  }

  /** Empty for an instruction whose lanes read their own values. */
  public static Optional<DppSources> of(Modifiers modifiers) {
    return Optional.ofNullable(
        switch (modifiers) {
          case Modifiers.Dpp m ->
              of(DppLanes.of(m.control()), m.rowMask(), m.bankMask(), m.boundControl(), false);
          case Modifiers.Moved m ->
              of(DppLanes.of(m), m.rowMask(), m.bankMask(), m.boundControl(), m.fetchInactive());
          default -> null;
        });
  }

  private static @Nullable DppSources of(
      int @Nullable [] lanes, int rowMask, int bankMask, boolean bound, boolean fetchInactive) {
    return lanes == null ? null : new DppSources(lanes, rowMask, bankMask, bound, fetchInactive);
  }

  /** The lane that an active lane reads, {@link #ZERO} or {@link #KEPT}. */
  public int source(int lane, long exec) {
    if ((enabled >>> lane & 1) == 0) {
      return KEPT;
    }
    int from = lanes[lane];
    if (from >= 0 && (fetchInactive || (exec >>> from & 1) != 0)) {
      return from;
    }
    return boundControl ? ZERO : KEPT;
  }

  /** The lane that a lane names, active or not; -1 for none. */
  public int named(int lane) {
    return lanes[lane];
  }

  /** The lanes that row mask and bank mask let through. */
  public long enabled() {
    return enabled;
  }

  /** Whether a lane whose source is not there reads 0; else it is not written. */
  public boolean boundControl() {
    return boundControl;
  }
}
