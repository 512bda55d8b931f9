package dev.rocport.device.op.vector;

import dev.rocport.device.wave.Wave;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Creates faster kernels for hot opcodes, on a separate thread. A vector kernel is a thousand times
 * slower before it is compiled than after, so it runs on empty rows until it is fast, while the
 * waves continue with the loop over lanes.
 */
final class Promoter {
  private static final int MOST_RUNS = 30_000;
  private static final int BATCH = 64;

  /** Nanoseconds for a run of a compiled kernel; one that is not takes over a microsecond. */
  private static final long FAST = 400;

  private static final BlockingQueue<Runnable> REQUESTS = new LinkedBlockingQueue<>();

  static {
    Thread.ofPlatform().daemon().name("vector-promoter").start(Promoter::work);
  }

  private Promoter() {}

  static void request(Routine routine) {
    request(() -> promote(routine));
  }

  static void request(Runnable work) {
    REQUESTS.add(work);
  }

  private static void work() {
    try {
      while (true) {
        REQUESTS.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives a routine its fastest kernel, warm. */
  static void promote(Routine routine) {
    Kernel kernel = make(routine.definition());
    warm(kernel);
    routine.promote(kernel);
  }

  /** The fastest kernel of a definition, not warm yet. */
  static Kernel make(Definition definition) {
    return switch (definition.form()) {
      case null -> Specialized.copy(LaneLoop.class, definition);
      case VectorForm.Int form -> Specialized.copy(IntLoop.class, form);
      case VectorForm.IntTest form -> Specialized.copy(IntTestLoop.class, form);
      case VectorForm.Choice form -> Specialized.copy(ChoiceLoop.class, form);
      case VectorForm.Carry form -> Specialized.copy(CarryLoop.class, form);
      case VectorForm.Pair form -> wide(definition, form);
      case VectorForm.PairTest form -> wide(definition, form);
      case VectorForm.PairCarry form -> wide(definition, form);
    };
  }

  private static Kernel wide(Definition definition, VectorForm form) {
    return Specialized.copy(
        LongLoop.class,
        new LongLoop.Constant(
            form,
            definition.words() == 2,
            definition.words(0) == 2,
            definition.words(1) == 2,
            definition.words(2) == 2));
  }

  /** Runs a kernel until it is fast, with all lanes and with some. */
  static void warm(Kernel kernel) {
    int[] rows = new int[8 * Wave.LANES];
    int fast = 0;
    for (int runs = 0; runs < MOST_RUNS && fast < 8; runs += BATCH) {
      long start = System.nanoTime();
      for (int i = 0; i < BATCH; i++) {
        kernel.run(
            rows,
            6 * Wave.LANES,
            rows,
            0,
            rows,
            2 * Wave.LANES,
            rows,
            4 * Wave.LANES,
            -1L,
            (i & 1) == 0 ? -1L : 0x0ff0_1234_5678_9abcL);
      }
      fast = System.nanoTime() - start < BATCH * FAST ? fast + 1 : 0;
    }
  }
}
