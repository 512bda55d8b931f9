package dev.rocport.device.check.sync;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Barriers of a wave that some of its lanes did not reach, for a reason not yet known. */
final class LeftOut {
  /**
   * A barrier.
   *
   * @param pc an index of the wave's code
   * @param came the lanes that reached it
   * @param missing the other lanes
   */
  record Barrier(int pc, long came, long missing) {}

  private final List<Barrier> barriers = new ArrayList<>();

  /** Lanes that were left out of some barrier. */
  private long missing;

  /** Those of them that have run since, if only as far as the end. */
  private long seen;

  void add(int pc, long came, long lanes) {
    missing |= lanes;
    seen &= ~lanes;
    for (Barrier b : barriers) {
      if (b.pc() == pc && b.missing() == lanes) {
        return;
      }
    }
    barriers.add(new Barrier(pc, came, lanes));
  }

  boolean isEmpty() {
    return barriers.isEmpty();
  }

  /** Lanes run: they have not returned. */
  void run(long lanes) {
    seen |= lanes & missing;
  }

  /** The first barrier with lanes that have not run since; null if there is none. */
  @Nullable Barrier firstOfReturned() {
    for (Barrier b : barriers) {
      if ((b.missing() & ~seen) != 0) {
        return new Barrier(b.pc(), b.came(), b.missing() & ~seen);
      }
    }
    return null;
  }

  /** The lanes among {@code lanes} that were left out of a barrier. */
  long among(long lanes) {
    return lanes & missing;
  }

  /** The first barrier that one of {@code lanes} was left out of. */
  Barrier first(long lanes) {
    for (Barrier b : barriers) {
      if ((b.missing() & lanes) != 0) {
        return b;
      }
    }
    throw new IllegalArgumentException("none of these lanes was left out");
  }

  void clear() {
    barriers.clear();
    missing = 0;
    seen = 0;
  }
}
