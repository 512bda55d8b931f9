package dev.rocport.verify;

import dev.rocport.io.process.ProcessTree;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The result of running a program.
 *
 * @param code exit code; 128 plus the signal's number if it was killed
 * @param stdout what it printed
 * @param stderr the end of its standard error
 * @param ending why it ended
 */
record ProgramRun(int code, byte[] stdout, String stderr, Ending ending) {
  /** What makes a program end. */
  enum Ending {
    /** It exited by itself, with any code. */
    OWN,
    /** It took too long and was ended. */
    TIME_LIMIT,
    /** It printed too much and was ended. */
    OUTPUT_LIMIT
  }

  /** More output than this is taken for a program that has gone mad. */
  static final int OUTPUT_LIMIT = 64 << 20;

  private static final int TAIL = 4000;
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
    try (ProcessTree tree = ProcessTree.start(builder, ProcessTree.GRACE)) {
      boolean ended = ended(tree, limit, List.of(out, err));
      tree.end();
      Ending ending =
          printsTooMuch(List.of(out, err))
              ? Ending.OUTPUT_LIMIT
              : ended ? Ending.OWN : Ending.TIME_LIMIT;
      return new ProgramRun(tree.await(), head(out), tail(err), ending);
    }
  }

  /** Waits for the end, the limit, or too much output, which would fill the disk. */
  private static boolean ended(ProcessTree tree, Duration limit, List<Path> output)
      throws IOException, InterruptedException {
    long last = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() < last && !printsTooMuch(output)) {
      Duration left = Duration.ofNanos(Math.max(1, last - System.nanoTime()));
      if (tree.await(left.compareTo(LOOK) < 0 ? left : LOOK)) {
        return true;
      }
    }
    return !tree.process().isAlive();
  }

  private static boolean printsTooMuch(List<Path> output) throws IOException {
    for (Path file : output) {
      if (Files.size(file) > OUTPUT_LIMIT) {
        return true;
      }
    }
    return false;
  }

  private static byte[] head(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(OUTPUT_LIMIT);
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

  boolean timedOut() {
    return ending == Ending.TIME_LIMIT;
  }

  /** Whether it was ended, so that what it left is not all. */
  boolean isCut() {
    return ending != Ending.OWN;
  }

  String text() {
    return new String(stdout, StandardCharsets.UTF_8);
  }

  /** The last line of its standard error, for a message. */
  String lastWords() {
    return stderr.lines().filter(l -> !l.isBlank()).reduce((a, b) -> b).orElse("").strip();
  }
}
