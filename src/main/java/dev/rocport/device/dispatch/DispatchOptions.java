package dev.rocport.device.dispatch;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import dev.rocport.device.nativecode.NativeEngine;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Options for running kernels that are not part of the launch.
 *
 * @param timeout how long a kernel may show no progress before it is stopped; zero for no limit
 * @param checks what is looked for while they run
 * @param trace what to print about running kernels
 * @param engine runs kernels without checks
 * @param turns the order in which the waves of a workgroup take turns
 */
public record DispatchOptions(
    Duration timeout, Checks checks, Trace trace, NativeEngine engine, TurnOrder turns) {
  /** No limit, a fixed order, and no words. */
  public static final DispatchOptions PLAIN =
      new DispatchOptions(
          Duration.ZERO, Checks.NONE, Trace.NONE, NativeEngine.NONE, TurnOrder.ASCENDING);

  /**
   * Where present, waves take turns of random length in random order, and what hardware leaves
   * undefined holds random bits: a right kernel gives the same results under every seed. With
   * {@link Check#ORDER}.
   */
  OptionalLong seed() {
    return checks.seed();
  }

  /** A source of chance for a workgroup, the same for the same seed; null where none is wanted. */
  @Nullable SplittableRandom random(long group) {
    return seed().isPresent()
        ? new SplittableRandom(seed().getAsLong() + 0x9e37_79b9_7f4a_7c15L * (group + 1))
        : null;
  }

  /**
   * The options for one of a program's launches: chance is another one in each.
   *
   * @param number from 1
   */
  public DispatchOptions ofLaunch(long number) {
    return checks.seed().isEmpty()
        ? this
        : with(checks.seeded(checks.seed().getAsLong() ^ number * 0xd134_2543_de82_ef95L));
  }

  /** The same with other checks. */
  public DispatchOptions with(Checks other) {
    return new DispatchOptions(timeout, other, trace, engine, turns);
  }
}
