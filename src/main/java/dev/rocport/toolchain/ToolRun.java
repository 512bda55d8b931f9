package dev.rocport.toolchain;

import dev.rocport.io.process.ProcessTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(extra);
    builder.environment().put("LC_ALL", "C");
    try (ProcessTree tree = ProcessTree.start(builder, Duration.ZERO)) {
      Thread watch = Thread.ofVirtual().start(() -> watch(tree, limit));
      tree.process().getOutputStream().close();
      String output =
          new String(tree.process().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = tree.await();
      watch.interrupt();
      return new ToolRun(code, output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while running " + command.getFirst(), e);
    }
  }

  private static void watch(ProcessTree tree, Duration limit) {
    try {
      if (!tree.await(limit)) {
        tree.end();
      }
    } catch (InterruptedException e) {
      // It has ended.
    }
  }
}
