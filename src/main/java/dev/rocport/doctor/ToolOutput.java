package dev.rocport.doctor;

import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ProcessTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The output of a program of the machine. It may hang, write without end, or leave children that
 * hold its output open: none of that may block the doctor.
 *
 * @param failure why there is no output; empty if it exited with code 0
 * @param text what it wrote to its standard output, at most four megabytes
 */
record ToolOutput(String failure, String text) {
  static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int LARGEST = 4 << 20;
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  static ToolOutput failed(String why) {
    return new ToolOutput(why, "");
  }

  static ToolOutput of(List<String> command, Path folder, Map<String, String> variables) {
    return of(command, folder, variables, LIMIT);
  }

  static ToolOutput of(
      List<String> command, Path folder, Map<String, String> variables, Duration limit) {
    Exec program = Exec.of(command).in(folder).withoutErrors();
    program.environment().clear();
    program.with(variables);
    try (ProcessTree tree = program.start()) {
      CompletableFuture<String> text = new CompletableFuture<>();
      InputStream out = tree.process().getInputStream();
      Thread.ofVirtual().start(() -> text.complete(drain(out)));
      boolean ended = tree.await(limit);
      tree.end();
      if (!ended) {
        return failed("no output within " + limit.toSeconds() + " seconds");
      }
      int code = tree.await();
      String said = text.get(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
      return new ToolOutput(code == 0 ? "" : "exited with code " + code, said);
    } catch (TimeoutException e) {
      return failed("left a process running that holds its output open");
    } catch (IOException | ExecutionException e) {
      return failed("cannot be started");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("interrupted");
    }
  }

  /** The first of it; the rest is read and dropped, so that the program can end. */
  private static String drain(InputStream out) {
    try {
      byte[] first = out.readNBytes(LARGEST);
      byte[] rest = new byte[1 << 16];
      while (out.read(rest) >= 0) {
        // Dropped.
      }
      return new String(first, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
