package dev.rocport.cli.support;

import dev.rocport.port.ProgressListener;
import dev.rocport.render.text.TextReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Shows the progress of a run: a bar on a terminal, and an occasional line elsewhere, so that the
 * log of a long run shows activity and the log of a short run stays short. Shows nothing if the run
 * is quiet. A file that takes long is named.
 */
public final class Progress implements ProgressListener, AutoCloseable {
  private static final long BAR_NANOS = 100_000_000L;
  private static final long LINE_NANOS = 10_000_000_000L;
  private static final long GUESS_NANOS = 2_000_000_000L;
  private static final long SLOW_NANOS = 1_000_000_000L;
  private static final int WIDTH = 30;

  /** The most characters of a bar with all that follows it, so that it fits on one line. */
  private static final int LINE = 100;

  private final PrintWriter err;
  private final boolean bar;
  private final boolean quiet;
  private long last = System.nanoTime();
  private long bytes;
  private boolean drawn;
  private boolean closed;
  private Phase current = Phase.SCAN;
  private int finished;
  private int all;
  private long begun = System.nanoTime();

  /** The files in work, and when the work on each began. */
  private final SequencedMap<String, Long> working = new LinkedHashMap<>();

  private Progress(PrintWriter err, boolean bar, boolean quiet) {
    this.err = err;
    this.bar = bar;
    this.quiet = quiet;
  }

  public static Progress of(Console console, boolean quiet) {
    Progress progress = new Progress(console.err(), console.terminal(), quiet);
    if (!quiet) {
      Thread.ofVirtual().start(progress::watch);
    }
    return progress;
  }

  @Override
  public synchronized void begun(String file) {
    working.put(file, System.nanoTime());
  }

  @Override
  public synchronized void done(Phase phase, String file, int files, int of, long size) {
    working.remove(file);
    bytes += size;
    if (phase != current) {
      current = phase;
      begun = System.nanoTime();
      finished = 0;
    }
    finished = Math.max(finished, files);
    all = of;
    show();
  }

  /** Shows the file in work even while none is finished. */
  private void watch() {
    try {
      while (isOpen()) {
        Thread.sleep(Duration.ofMillis(500));
        show();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isOpen() {
    return !closed;
  }

  private synchronized void show() {
    long now = System.nanoTime();
    if (quiet || closed || all == 0 || now - last < (bar ? BAR_NANOS : LINE_NANOS)) {
      return;
    }
    last = now;
    String what = current == Phase.SCAN ? "scanning" : "porting";
    String more = left(now - begun, finished, all) + slow(now);
    if (bar) {
      int full = (int) ((long) finished * WIDTH / Math.max(1, all));
      String text =
          String.format(
              Locale.ROOT,
              "%-8s [%s%s] %d/%d files%s",
              what,
              "#".repeat(full),
              " ".repeat(WIDTH - full),
              finished,
              all,
              more);
      String line = text.length() > LINE ? text.substring(0, LINE - 3) + "..." : text;
      err.print("\r" + line + " ".repeat(LINE - line.length()));
      err.flush();
      drawn = true;
    } else {
      err.println(
          what + ": " + finished + " of " + all + " files, " + (bytes >> 20) + " MB read" + more);
    }
  }

  /** The file that is in work for the longest time, if that is long. */
  private String slow(long now) {
    Map.Entry<String, Long> oldest = working.firstEntry();
    return oldest == null || now - oldest.getValue() < SLOW_NANOS
        ? ""
        : ", working for %d s on %s"
            .formatted((now - oldest.getValue()) / SLOW_NANOS, TextReport.visible(oldest.getKey()));
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
    closed = true;
    if (drawn) {
      err.print("\r" + " ".repeat(LINE) + "\r");
      err.flush();
      drawn = false;
    }
  }
}
