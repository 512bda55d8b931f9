package dev.rocport.device.op.vector;

import org.jspecify.annotations.Nullable;

/** The lanes that a DPP control word selects. */
public final class DppLanes {
  private DppLanes() {}

  /** The lane that each lane reads, -1 for none; null for a control word that means nothing. */
  public static int @Nullable [] of(int control) {
    return DppStep.sources(control);
  }
}
