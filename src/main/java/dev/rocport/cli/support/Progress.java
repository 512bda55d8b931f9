package dev.rocport.cli.support;

import dev.rocport.port.ProgressListener;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Shows how far a run is: a bar on a terminal, a line now and then elsewhere (so that a log of a
 * long run shows life, and that of a short one stays short), nothing where quiet is asked for.
 */
public final class Progress implements ProgressListener, AutoCloseable {
  private static final long BAR_NANOS = 100_000_000L;
  private static final long LINE_NANOS = 10_000_000_000L;
  private static final long GUESS_NANOS = 2_000_000_000L;
  private static final int WIDTH = 30;

  private final PrintWriter err;
  private final boolean bar;
  private final boolean quiet;
  private long last = System.nanoTime();
  private long bytes;
  private boolean drawn;
  private Phase current = Phase.SCAN;
  private long begun = System.nanoTime();

  private Progress(PrintWriter err, boolean bar, boolean quiet) {
    this.err = err;
    this.bar = bar;
    this.quiet = quiet;
  }

  public static Progress of(Console console, boolean quiet) {
    return new Progress(console.err(), console.terminal(), quiet);
  }

  @Override
  public void done(Phase phase, int files, int of, long size) {
    if (quiet) {
      return;
    }
    synchronized (this) {
      bytes += size;
      long now = System.nanoTime();
      if (phase != current) {
        current = phase;
        begun = now;
      }
      if (now - last < (bar ? BAR_NANOS : LINE_NANOS)) {
        return;
      }
      last = now;
      String what = phase == Phase.SCAN ? "scanning" : "porting";
      if (bar) {
        int full = (int) ((long) files * WIDTH / Math.max(1, of));
        err.print(
            String.format(
                Locale.ROOT,
                "\r%-8s [%s%s] %d/%d files%s",
                what,
                "#".repeat(full),
                " ".repeat(WIDTH - full),
                files,
                of,
                left(now - begun, files, of)));
        err.flush();
        drawn = true;
      } else {
        err.println(
            what
                + ": "
                + files
                + " of "
                + of
                + " files, "
                + (bytes >> 20)
                + " MB read"
                + left(now - begun, files, of));
      }
    }
  }

  /** An estimate by the files of this phase so far; nothing where it would be a guess. */
  public static String left(long nanos, int files, int of) {
    if (nanos < GUESS_NANOS || files == 0 || files >= of) {
      return "";
    }
    long seconds = Math.round(nanos / 1e9 / files * (of - files));
    return seconds < 60
        ? ", %d s left".formatted(seconds)
        : ", %d min %02d s left".formatted(seconds / 60, seconds % 60);
  }

  /** Wipes the bar away. */
  @Override
  public synchronized void close() {
    if (drawn) {
      err.print("\r" + " ".repeat(WIDTH + 60) + "\r");
      err.flush();
      drawn = false;
    }
  }
}
