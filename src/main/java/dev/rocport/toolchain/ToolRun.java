package dev.rocport.toolchain;

import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One finished run of another program.
 *
 * @param code exit code; 137 when it was stopped at its time limit
 * @param output what it wrote to both streams
 */
public record ToolRun(int code, String output) {
  private static final Duration COMPILING = Duration.ofMinutes(10);

  /** Tables of symbols and lists of packages are long, and are read to their ends. */
  private static final int OUTPUT_LIMIT = 1 << 28;

  public boolean ok() {
    return code == 0;
  }

  /** The last lines of the output, indented, for a message. */
  public String tail(int lines) {
    List<String> all = output.strip().lines().toList();
    return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size())).indent(2);
  }

  /**
   * Runs a compiler, an archiver or a linker.
   *
   * @param what it makes or compiles, for the message
   * @throws ToolchainException when it fails
   */
  public static void compile(List<String> command, Path folder, String what)
      throws IOException, ToolchainException {
    ToolRun run = of(command, folder, Map.of(), COMPILING);
    if (!run.ok()) {
      throw new ToolchainException("cannot compile " + what + ":\n" + run.tail(12));
    }
  }

  public static ToolRun of(List<String> command) throws IOException {
    return of(command, Path.of("."), Map.of(), Duration.ofMinutes(5));
  }

  /**
   * Runs a command to its end; standard input is empty.
   *
   * @param extra variables set for the command, over those of this process
   * @throws IOException when it cannot be started
   */
  public static ToolRun of(
      List<String> command, Path folder, Map<String, String> extra, Duration limit)
      throws IOException {
    Exec program = Exec.of(command).in(folder).with(extra).with(Map.of("LC_ALL", "C"));
    try {
      Exec.Outcome run = program.merged().keeps(OUTPUT_LIMIT).limit(limit).run();
      return new ToolRun(run.code(), run.stdout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while running " + command.getFirst(), e);
    }
  }
}
