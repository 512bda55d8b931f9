package dev.rocport.verify;

import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ProcessTree;
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

  /** Runs a command to its end; standard input is empty. */
  static ProgramRun of(
      List<String> command,
      Path folder,
      Map<String, String> environment,
      Duration limit,
      Path scratch)
      throws IOException, InterruptedException {
    return of(
        Exec.of(command).in(folder).with(environment).grace(ProcessTree.GRACE), limit, scratch);
  }

  /** Runs a program, whose streams are free, to its end. */
  static ProgramRun of(Exec program, Duration limit, Path scratch)
      throws IOException, InterruptedException {
    Path out = scratch.resolve("stdout.txt");
    Path err = scratch.resolve("stderr.txt");
    Exec.Ended ended =
        program.output(out).errors(err).limit(limit).writesAtMost(OUTPUT_LIMIT).await();
    Ending ending =
        Files.size(out) > OUTPUT_LIMIT || Files.size(err) > OUTPUT_LIMIT
            ? Ending.OUTPUT_LIMIT
            : ended.timedOut() ? Ending.TIME_LIMIT : Ending.OWN;
    return new ProgramRun(ended.code(), head(out), tail(err), ending);
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
