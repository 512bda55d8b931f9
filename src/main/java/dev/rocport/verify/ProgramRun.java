package dev.rocport.verify;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a program came to.
 *
 * @param code exit code; 128 and the signal's number if it was killed
 * @param stdout what it printed
 * @param stderr the end of what it said besides
 * @param timedOut it took too long and was ended
 */
record ProgramRun(int code, byte[] stdout, String stderr, boolean timedOut) {
  /** More output than this is taken for a program that has gone mad. */
  private static final long OUTPUT_LIMIT = 64L << 20;

  private static final int TAIL = 4000;
  private static final Duration GRACE = Duration.ofSeconds(3);
  private static final Duration LOOK = Duration.ofMillis(200);

  /** Runs a command to its end; standard input is empty. */
  static ProgramRun of(
      List<String> command,
      Path folder,
      Map<String, String> environment,
      Duration limit,
      Path scratch)
      throws IOException, InterruptedException {
    Path out = scratch.resolve("stdout.txt");
    Path err = scratch.resolve("stderr.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    environment.forEach((k, v) -> builder.environment().put(k, v));
    Process process = builder.start();
    Thread hook = Thread.ofPlatform().unstarted(() -> end(process));
    Runtime.getRuntime().addShutdownHook(hook);
    boolean ended;
    try {
      ended = ended(process, limit, List.of(out, err));
    } finally {
      end(process);
      forget(hook);
    }
    if (printsTooMuch(List.of(out, err))) {
      throw new IOException(
          "%s printed more than the %d bytes that are taken"
              .formatted(Path.of(command.getFirst()).getFileName(), OUTPUT_LIMIT));
    }
    return new ProgramRun(process.waitFor(), Files.readAllBytes(out), tail(err), !ended);
  }

  /** Waits for the end, the limit, or too much output, which would fill the disk. */
  private static boolean ended(Process process, Duration limit, List<Path> output)
      throws IOException, InterruptedException {
    long last = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() < last && !printsTooMuch(output)) {
      long left = Math.max(1, (last - System.nanoTime()) / 1_000_000);
      if (process.waitFor(Math.min(left, LOOK.toMillis()), TimeUnit.MILLISECONDS)) {
        return true;
      }
    }
    return !process.isAlive();
  }

  private static boolean printsTooMuch(List<Path> output) throws IOException {
    for (Path file : output) {
      if (Files.size(file) > OUTPUT_LIMIT) {
        return true;
      }
    }
    return false;
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It is what ends the program just now.
    }
  }

  private static String tail(Path file) throws IOException {
    try (var channel = Files.newByteChannel(file)) {
      channel.position(Math.max(0, channel.size() - TAIL));
      byte[] bytes = new byte[TAIL];
      int n = Math.max(0, channel.read(java.nio.ByteBuffer.wrap(bytes)));
      return new String(bytes, 0, n, StandardCharsets.UTF_8);
    }
  }

  /** Asks first, so that mpirun ends its ranks and clears its files. */
  private static void end(Process process) {
    if (!process.isAlive()) {
      return;
    }
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    process.destroy();
    try {
      process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
  }

  String text() {
    return new String(stdout, StandardCharsets.UTF_8);
  }

  /** The last line of what it said, for a message. */
  String lastWords() {
    return stderr.lines().filter(l -> !l.isBlank()).reduce((a, b) -> b).orElse("").strip();
  }
}
