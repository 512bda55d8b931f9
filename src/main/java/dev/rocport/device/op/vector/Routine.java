package dev.rocport.device.op.vector;

import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/**
 * A definition with the fastest kernel available so far. One object serves all instructions of the
 * opcode on all threads.
 */
final class Routine {
  /** Runs after which a faster kernel is worth its making. */
  private static final int HOT = 400;

  private static final int MODES = 512;

  private final Definition definition;

  /** Written by the promoter; a late look at it does no harm. */
  private Kernel kernel;

  private final @Nullable Kernel[] byMode;

  Routine(Definition definition) {
    this.definition = definition;
    this.kernel = new Counting(new LaneLoop(definition));
    this.byMode = new Kernel[definition.modal() ? MODES : 0];
  }

  Definition definition() {
    return definition;
  }

  /** The kernel for a value of the MODE register. */
  Kernel kernel(int mode) {
    return definition.modal() && (mode & Wave.MODE_OF_ARITHMETIC) != Wave.USUAL_MODE
        ? unusual(mode)
        : kernel;
  }

  private Kernel unusual(int mode) {
    int at = (mode & 0xff) | ((mode & UnusualMode.SATURATES) == 0 ? 0 : MODES / 2);
    Kernel known = byMode[at];
    if (known == null) {
      known = new LaneLoop(UnusualMode.of(definition, mode & Wave.MODE_OF_ARITHMETIC));
      byMode[at] = known;
    }
    return known;
  }

  void promote(Kernel faster) {
    kernel = faster;
  }

  /** The fastest kernel for the usual MODE, which is made if it is not there. */
  synchronized Kernel fastest() {
    if (kernel instanceof Counting) {
      Promoter.promote(this);
    }
    return kernel;
  }

  /** The first kernel, which counts until it is hot. Threads may lose counts to each other. */
  private final class Counting implements Kernel {
    private final Kernel loop;
    private int left = HOT;

    Counting(Kernel loop) {
      this.loop = loop;
    }

    @Override
    public long run(
        int[] d,
        int dOffset,
        int @Nullable [] a,
        int aOffset,
        int @Nullable [] b,
        int bOffset,
        int @Nullable [] c,
        int cOffset,
        long mask,
        long exec) {
      if (left > 0 && --left == 0) {
        Promoter.request(Routine.this);
      }
      return loop.run(d, dOffset, a, aOffset, b, bOffset, c, cOffset, mask, exec);
    }
  }
}
