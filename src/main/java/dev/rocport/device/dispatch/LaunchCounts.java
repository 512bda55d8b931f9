package dev.rocport.device.dispatch;

import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.codeobject.KernelName;
import dev.rocport.device.wave.Traffic;
import java.util.concurrent.atomic.LongAdder;

/** What the waves of a launch have run and moved since it began. */
final class LaunchCounts {
  private final LongAdder instructions = new LongAdder();
  private final LongAdder waves = new LongAdder();
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();
  private final long began = System.nanoTime();

  void ran(long moreWaves, long moreInstructions) {
    waves.add(moreWaves);
    instructions.add(moreInstructions);
  }

  void moved(Traffic traffic) {
    bytesRead.add(traffic.read());
    bytesWritten.add(traffic.written());
  }

  long instructions() {
    return instructions.sum();
  }

  long waves() {
    return waves.sum();
  }

  /** The line of {@code --trace kernels}. */
  String summary(Gpu gpu, KernelInfo kernel, LaunchRequest request) {
    LaunchRequest.Dim3 grid = request.grid();
    LaunchRequest.Dim3 threads = request.block();
    return """
    rocport: GPU %d, %s: grid (%d, %d, %d), block (%d, %d, %d), %d waves, %d instructions, \
    %d bytes read, %d bytes written, %.3f ms
    """
        .formatted(
            gpu.index(),
            KernelName.readable(kernel.name()),
            grid.x(),
            grid.y(),
            grid.z(),
            threads.x(),
            threads.y(),
            threads.z(),
            waves(),
            instructions(),
            bytesRead.sum(),
            bytesWritten.sum(),
            (System.nanoTime() - began) / 1e6);
  }
}
