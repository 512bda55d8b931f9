package dev.rocport.device.dispatch;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How kernels are to run, beyond what they ask for.
 *
 * @param timeout how long a kernel may show no progress before it is stopped; zero for no limit
 * @param seed where present, waves take turns of random length in random order, and what hardware
 *     leaves undefined holds random bits: a right kernel gives the same results under every seed
 * @param trace what is told about kernels that run
 */
public record DispatchOptions(Duration timeout, OptionalLong seed, Trace trace) {
  /** No limit, a fixed order, and no words. */
  public static final DispatchOptions PLAIN =
      new DispatchOptions(Duration.ZERO, OptionalLong.empty(), Trace.NONE);
}
