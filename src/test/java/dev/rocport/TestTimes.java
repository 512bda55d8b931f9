package dev.rocport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Appends the wall and processor time of each test class to the file that the system property
 * {@code rocport.test.times} names: class, tests, seconds of wall time, of processor time of this
 * process, of processor time of all that it started. Classes that run side by side share these
 * times, so the profile {@code times} runs one after the other.
 */
public final class TestTimes implements TestExecutionListener {
  private static final String FILE = System.getProperty("rocport.test.times", "");

  /** Clock ticks a second in /proc, the same on every Linux that Java runs on. */
  private static final double TICKS = 100;

  private final Map<String, Start> started = new ConcurrentHashMap<>();

  private record Cpu(double self, double others) {}

  private record Start(long nanos, Cpu cpu, int[] tests) {}

  @Override
  public void executionStarted(TestIdentifier id) {
    if (!FILE.isEmpty() && isTopLevelClass(id)) {
      started.put(id.getUniqueId(), new Start(System.nanoTime(), cpu(), new int[1]));
    }
  }

  @Override
  public void executionFinished(TestIdentifier id, TestExecutionResult result) {
    if (id.isTest()) {
      started.forEach(
          (parent, start) -> {
            if (id.getUniqueId().startsWith(parent)) {
              start.tests()[0]++;
            }
          });
    }
    Start start = started.remove(id.getUniqueId());
    if (start != null) {
      Cpu now = cpu();
      write(
          String.format(
              Locale.ROOT,
              "%s\t%d\t%.2f\t%.2f\t%.2f%n",
              id.getDisplayName(),
              start.tests()[0],
              (System.nanoTime() - start.nanos()) / 1e9,
              now.self() - start.cpu().self(),
              now.others() - start.cpu().others()));
    }
  }

  private static boolean isTopLevelClass(TestIdentifier id) {
    return id.getSource().orElse(null) instanceof ClassSource source
        && !source.getClassName().contains("$")
        && id.isContainer();
  }

  private static synchronized void write(String row) {
    try {
      Files.writeString(Path.of(FILE), row, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The processor time of this process, and of its children with all that these waited for. */
  private static Cpu cpu() {
    long[] self = ticks("self");
    long others = self[1];
    for (ProcessHandle p : ProcessHandle.current().descendants().toList()) {
      long[] child = ticks(Long.toString(p.pid()));
      others += child[0] + child[1];
    }
    return new Cpu(self[0] / TICKS, others / TICKS);
  }

  /** User and system time of a process, and that of its children that have ended. */
  private static long[] ticks(String process) {
    try {
      String stat = Files.readString(Path.of("/proc", process, "stat"));
      // The name in parentheses may hold spaces; proc(5) numbers the fields from 1.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return new long[] {
        Long.parseLong(fields[14 - 3]) + Long.parseLong(fields[15 - 3]),
        Long.parseLong(fields[16 - 3]) + Long.parseLong(fields[17 - 3])
      };
    } catch (IOException e) {
      return new long[2]; // it ended between the listing and the reading
    }
  }
}
