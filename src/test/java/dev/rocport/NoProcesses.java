package dev.rocport;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails the unit tests where one of them has started a process: it lacks a tag. The Flight Recorder
 * sees each start with its stack, whichever code makes it. JUnit finds this class by {@code
 * META-INF/services}.
 */
public final class NoProcesses implements BeforeAllCallback {
  private static final String EVENT = "jdk.ProcessStart";

  @Override
  public void beforeAll(ExtensionContext context) {
    if ("unit".equals(System.getProperty("rocport.phase"))) {
      context
          .getRoot()
          .getStore(Namespace.create(NoProcesses.class))
          .getOrComputeIfAbsent(Watch.class, w -> new Watch(), Watch.class);
    }
  }

  /** Watches until the last test has ended. */
  static final class Watch implements AutoCloseable {
    private final Set<String> starts = new ConcurrentSkipListSet<>();
    private final RecordingStream stream = new RecordingStream();

    Watch() {
      stream.enable(EVENT).withStackTrace();
      stream.onEvent(EVENT, this::started);
      stream.startAsync();
    }

    /** What runs the tests starts processes, too: only ours count. */
    private void started(RecordedEvent event) {
      if (event.getStackTrace() == null) {
        return;
      }
      // The outermost of our frames is that of the test.
      event.getStackTrace().getFrames().stream()
          .map(frame -> frame.getMethod().getType().getName())
          .filter(type -> type.startsWith("dev.rocport."))
          .reduce((inner, outer) -> outer)
          .ifPresent(
              test -> starts.add(test + " starts " + event.getString("command").split(" ")[0]));
    }

    @Override
    public void close() {
      stream.stop();
      stream.close();
      if (!starts.isEmpty()) {
        throw new AssertionError(
            "unit tests start processes; run each with -Dtest, and tag it: " + starts);
      }
    }
  }
}
