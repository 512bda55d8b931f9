package dev.rocport.cli.port;

import dev.rocport.port.ProgressListener;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** The times of the phases of a port, for benchmarks. */
final class PortTimes implements ProgressListener {
  private final ProgressListener next;
  private final long start;
  private final AtomicLong scanned = new AtomicLong();

  PortTimes(ProgressListener next, long start) {
    this.next = next;
    this.start = start;
  }

  @Override
  public void begun(String file) {
    next.begun(file);
  }

  @Override
  public void done(Phase phase, String file, int files, int of, long bytes) {
    if (phase == Phase.PORT) {
      scanned.compareAndSet(0, System.nanoTime());
    }
    next.done(phase, file, files, of, bytes);
  }

  /**
   * Returns the times in one line.
   *
   * @param ported when the last file was ported
   * @param saved when the state of the port was saved
   */
  String line(long walked, long ported, long saved) {
    long end = System.nanoTime();
    long middle = scanned.get() == 0 ? ported : scanned.get();
    return String.format(
        Locale.ROOT,
        "times: walk and phases %.1f s, scan and build files %.1f s, port %.1f s,"
            + " state %.1f s, report %.1f s",
        (walked - start) / 1e9,
        (middle - walked) / 1e9,
        (ported - middle) / 1e9,
        (saved - ported) / 1e9,
        (end - saved) / 1e9);
  }
}
