package dev.rocport.fleet;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs command lines of rocport, one after the other: {@code
 * dev.rocport.cli.Worker}, which describes the requests and answers. It ends with this process.
 */
final class WorkerProcess implements AutoCloseable {
  /** The exit code of a virtual machine that ran out of memory. */
  private static final int OUT_OF_MEMORY = 3;

  /** The exit code of a process that was killed, as the system does if memory is short. */
  private static final int KILLED = 137;

  /** In the environment of the process and of all that it starts: which process it is. */
  private static final String MARK = "ROCPORT_FLEET_WORKER";

  private static final ScheduledThreadPoolExecutor CLOCK =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("limits").factory());

  private final WorkerSettings settings;
  private final String id = UUID.randomUUID().toString();
  private final Process process;
  private final DataOutputStream requests;
  private final DataInputStream answers;
  private int done;
  private Duration processor = Duration.ZERO;
  private volatile boolean timedOut;

  /**
   * How a command ended.
   *
   * @param code its exit code
   * @param messages their beginning
   * @param processor the processor time that it took, with the start of the process if it was the
   *     first command, and without other processes
   * @param age commands that the process had run before
   */
  record Answer(int code, String messages, Duration processor, int age) {}

  WorkerProcess(WorkerSettings settings) throws IOException {
    this.settings = settings;
    ProcessBuilder builder = new ProcessBuilder(command(settings));
    Path folder = Path.of(settings.folder());
    builder.directory(Files.isDirectory(folder) ? folder.toFile() : null);
    builder.environment().put(MARK, id);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    process = builder.start();
    requests = new DataOutputStream(process.getOutputStream());
    answers = new DataInputStream(process.getInputStream());
  }

  private static List<String> command(WorkerSettings settings) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-Xmx" + settings.memoryLimit() + "m");
    // As the launcher does for an audit: the optimizing compiler costs more than it gains.
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:-UsePerfData");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-Drocport.home=" + settings.home());
    command.add("-cp");
    command.add(settings.classPath());
    command.add("dev.rocport.cli.Worker");
    return command;
  }

  /** Whether the process can take another command. */
  boolean isUsable() {
    return process.isAlive() && done < settings.commands();
  }

  /**
   * Runs a command.
   *
   * @param output where its standard output goes
   * @param ending what an unexpected end of the process is called
   * @throws Failure if it reached a limit or ended the process
   */
  Answer run(Path output, List<String> args, Failure.Kind ending)
      throws Failure, InterruptedException {
    int age = done++;
    ScheduledFuture<?> limit =
        CLOCK.schedule(this::timeOut, settings.timeLimit(), TimeUnit.SECONDS);
    try {
      requests.writeInt(args.size());
      requests.writeUTF(output.toString());
      for (String arg : args) {
        requests.writeUTF(arg);
      }
      requests.flush();
      int code = answers.readInt();
      String messages = answers.readUTF();
      Duration before = processor;
      processor = process.info().totalCpuDuration().orElse(before);
      return new Answer(code, messages, processor.minus(before), age);
    } catch (IOException e) {
      throw ended(ending);
    } finally {
      limit.cancel(false);
    }
  }

  private void timeOut() {
    timedOut = true;
    kill();
  }

  /** Ends the process with those that it started. */
  private void kill() {
    List<ProcessHandle> all = process.descendants().toList();
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
  }

  private Failure ended(Failure.Kind ending) throws InterruptedException {
    kill();
    int code = process.waitFor();
    killOrphans();
    if (timedOut) {
      return Failure.time("", settings.timeLimit());
    }
    if (code == OUT_OF_MEMORY) {
      return new Failure(
          Failure.Kind.MEMORY,
          "needs more than %d MiB of memory (--memory-limit)".formatted(settings.memoryLimit()));
    }
    return code == KILLED
        ? new Failure(Failure.Kind.MEMORY, "the process was killed")
        : new Failure(ending, "the process ended with " + code);
  }

  /** Ends what the process had started before it ended by itself or was killed by the system. */
  private void killOrphans() {
    ProcessHandle.allProcesses()
        .filter(p -> environment(p.pid()).contains(MARK + "=" + id))
        .forEach(ProcessHandle::destroyForcibly);
  }

  /** The variables of a process; empty if they cannot be read, as those of other users. */
  private static String environment(long pid) {
    try {
      return Files.readString(
          Path.of("/proc", String.valueOf(pid), "environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /** Ends the process and waits for its end. */
  @Override
  public void close() {
    kill();
    boolean interrupted = false;
    while (process.isAlive()) {
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
