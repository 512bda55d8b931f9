package dev.rocport.build.project;

import dev.rocport.io.Folders;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Programs named nvcc, g++ and so on that hand their command lines to this process and wait for its
 * answer. A request is a folder with a file of arguments; its name comes through a named pipe, and
 * the exit code goes back through another, so that a call costs no start of a Java machine.
 */
final class FrontEnds implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("nvcc", "hipcc", "g++", "gcc", "cc", "c++", "clang", "clang++");

  private final Path folder;
  private final TemporaryFolder temporary;
  private final Path pipes;
  private final Handler handler;
  private final RandomAccessFile requests;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread listener;

  /** Answers requests; called from many threads. */
  interface Handler {
    Answer answer(Request request) throws IOException, InterruptedException;
  }

  /**
   * A call of a front end.
   *
   * @param input what came on standard input where the arguments say {@code -}
   */
  record Request(String program, Path directory, List<String> arguments, Path input) {}

  /** What the front end prints and ends with. */
  record Answer(int code, String output, String messages) {}

  /**
   * @param folder where the programs go, below {@code bin}
   * @param more names beside the usual ones
   */
  FrontEnds(Path folder, Collection<String> more, Handler handler)
      throws IOException, InterruptedException {
    this.folder = folder;
    this.handler = handler;
    this.temporary = TemporaryFolder.create("rocport-build");
    this.pipes = temporary.path();
    Path pipe = pipes.resolve("requests");
    Exec.Outcome made =
        Exec.run(List.of("mkfifo", pipe.toString()), pipes, Map.of(), Duration.ofSeconds(10));
    if (!made.ok()) {
      throw new IOException("mkfifo: " + made.stderr().strip());
    }
    this.requests = new RandomAccessFile(pipe.toFile(), "rw");
    for (String sub : List.of("bin", "include", "lib", "lib64")) {
      Files.createDirectories(folder.resolve(sub));
    }
    SortedSet<String> names = new TreeSet<>(NAMES);
    names.addAll(more);
    String script =
        """
        #!/usr/bin/env bash
        # Hands a compiler's command line to the rocport build that is running, and waits.
        p='%3$s/probe/'${0##*/}
        [ ! -x "$p" ] || exec "$p" "$@"
        # Bazel calls its folder so, which only the caller itself could follow.
        [ "$PWD" != /proc/self/cwd ] || cd -P .
        d=$(mktemp -d '%1$s/r.XXXXXXXX') || exit 1
        printf '%%s\\0' "${0##*/}" "$PWD" "$@" > "$d/arguments"
        for a in "$@"; do
          if [ "$a" = - ]; then cat > "$d/input"; break; fi
        done
        mkfifo "$d/answer" || exit 1
        exec 3<> "$d/answer"
        printf '%%s\\n' "${d##*/}" > '%1$s/requests'
        # What came before a timeout is not read again: "0" and the line's end may part there.
        code=
        until read -r -t 10 part <&3; do
          code+=$part
          kill -0 %2$d 2> /dev/null || { echo "${0##*/}: rocport is gone" >&2; exit 1; }
        done
        code+=$part
        cat "$d/output"
        cat "$d/messages" >&2
        rm -rf "$d"
        exit "$code"
        """
            .formatted(pipes, ProcessHandle.current().pid(), folder);
    for (String name : names) {
      executable(bin().resolve(name), script);
    }
    this.listener = new Thread(this::listen, "rocport-front-ends");
    listener.setDaemon(true);
    listener.start();
  }

  private static void executable(Path file, String script) throws IOException {
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Makes a program beside the front ends that is but another name for a command. */
  void alias(String name, List<String> command) throws IOException {
    executable(bin().resolve(name), script(command));
  }

  /**
   * From now on these front ends call a command with their arguments and hand over nothing: what
   * configure compiles is no part of the build, and there is much of it.
   *
   * @param commands by the front end's name
   */
  void probe(Map<String, List<String>> commands) throws IOException {
    Path probes = Files.createDirectories(folder.resolve("probe"));
    for (Map.Entry<String, List<String>> c : commands.entrySet()) {
      executable(probes.resolve(c.getKey()), script(c.getValue()));
    }
  }

  /** Ends what {@link #probe} began. */
  void probed() throws IOException {
    Folders.delete(folder.resolve("probe"));
  }

  private static String script(List<String> command) {
    StringBuilder line = new StringBuilder("#!/bin/sh\nexec");
    command.forEach(w -> line.append(" '").append(w.replace("'", "'\\''")).append("'"));
    return line.append(" \"$@\"\n").toString();
  }

  Path bin() {
    return folder.resolve("bin");
  }

  private void listen() {
    try {
      for (String name = requests.readLine(); name != null; name = requests.readLine()) {
        if (name.isEmpty()) {
          return;
        }
        Path request = pipes.resolve(name).normalize();
        workers.execute(() -> serve(request));
      }
    } catch (IOException e) {
      // Closed: the build is over.
    }
  }

  private void serve(Path request) {
    Answer answer;
    try {
      List<String> words = List.of(Files.readString(request.resolve("arguments")).split("\0", -1));
      answer =
          handler.answer(
              new Request(
                  words.get(0),
                  Path.of(words.get(1)),
                  words.subList(2, words.size() - 1),
                  request.resolve("input")));
    } catch (IOException | RuntimeException e) {
      answer = new Answer(1, "", "rocport: " + e + "\n");
    } catch (InterruptedException e) {
      return;
    }
    try {
      Files.writeString(request.resolve("output"), answer.output());
      Files.writeString(request.resolve("messages"), answer.messages());
      Path pipe = request.resolve("answer");
      byte[] code = (answer.code() + "\n").getBytes(StandardCharsets.US_ASCII);
      // Read and write, so that opening does not wait for a front end that was killed. The front
      // end has the pipe open already, so nothing is lost when it is closed here.
      try (RandomAccessFile out = new RandomAccessFile(pipe.toFile(), "rw")) {
        out.write(code);
      }
    } catch (IOException e) {
      // The front end was killed and its folder is gone: nobody waits.
    }
  }

  @Override
  public void close() throws IOException {
    requests.writeBytes("\n");
    workers.shutdownNow();
    try {
      listener.join(1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    requests.close();
    temporary.close();
  }
}
