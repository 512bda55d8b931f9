package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Modifiers;
import org.jspecify.annotations.Nullable;

/** The lanes that a DPP control word selects. */
public final class DppLanes {
  private DppLanes() {}

  /** The lane that each lane reads, -1 for none; null for a control word that means nothing. */
  public static int @Nullable [] of(int control) {
    return DppStep.sources(control);
  }

  /** The lane that each lane reads, -1 for none. */
  public static int[] of(Modifiers.Moved moved) {
    return DppStep.sources(moved);
  }

  /** The lanes that row mask and bank mask let through. */
  public static long enabled(int rowMask, int bankMask) {
    return DppStep.enabled(rowMask, bankMask);
  }
}
