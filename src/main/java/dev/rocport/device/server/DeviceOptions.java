package dev.rocport.device.server;

import dev.rocport.device.dispatch.DispatchOptions;
import dev.rocport.device.isa.Target;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * The configuration of the device.
 *
 * @param gpus the target of each
 * @param memory bytes of each GPU
 * @param computeUnits of each GPU
 * @param threads workers
 * @param linger how long it waits for another program once the last has gone
 */
public record DeviceOptions(
    List<Target> gpus,
    long memory,
    int computeUnits,
    int threads,
    Duration linger,
    DispatchOptions dispatch) {

  /** GPUs of one target, in the plain order. */
  public DeviceOptions(
      Target target, int gpus, long memory, int computeUnits, int threads, Duration linger) {
    this(
        Collections.nCopies(gpus, target),
        memory,
        computeUnits,
        threads,
        linger,
        DispatchOptions.PLAIN);
  }
}
