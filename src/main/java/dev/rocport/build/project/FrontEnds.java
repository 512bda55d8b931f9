package dev.rocport.build.project;

import dev.rocport.core.source.SourceTree;
import dev.rocport.io.Folders;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ShellWord;
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
 * Programs named nvcc, g++ and so on that pass their command lines to this process and wait for its
 * answer. A request is a folder with a file of arguments. A named pipe carries its name, and
 * another pipe returns the exit code, so a call does not start a JVM.
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

  /** Answers requests; must be thread-safe. */
  interface Handler {
    Answer answer(Request request) throws IOException, InterruptedException;
  }

  /**
   * A call of a front end.
   *
   * @param input standard input, if the arguments contain {@code -}
   */
  record Request(String program, Path directory, List<String> arguments, Path input) {}

  /** Output and exit code of the front end. */
  record Answer(int code, String output, String messages) {}

  /**
   * @param folder folder of the programs, which are in its {@code bin}
   * @param more names in addition to the default ones
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
        # Passes a compiler's command line to the running rocport build, and waits.
        p='%3$s/probe/'${0##*/}
        [ ! -x "$p" ] || exec "$p" "$@"
        # Bazel sets this working directory, which only this process can resolve.
        [ "$PWD" != /proc/self/cwd ] || cd -P .
        d=$(mktemp -d '%1$s/r.XXXXXXXX') || exit 1
        printf '%%s\\0' "${0##*/}" "$PWD" "$@" > "$d/arguments"
        for a in "$@"; do
          if [ "$a" = - ]; then cat > "$d/input"; break; fi
        done
        mkfifo "$d/answer" || exit 1
        exec 3<> "$d/answer"
        printf '%%s\\n' "${d##*/}" > '%1$s/requests'
        # read drops partial input on a timeout, so "0" and its line end can arrive separately.
        code=
        until read -r -t 10 part <&3; do
          code+=$part
          kill -0 %2$d 2> /dev/null || { echo "${0##*/}: the rocport process has ended" >&2; exit 1; }
        done
        code+=$part
        [ ! -s "$d/output" ] || cat "$d/output"
        [ ! -s "$d/messages" ] || cat "$d/messages" >&2
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

  /** Adds a program next to the front ends that runs a command. */
  void alias(String name, List<String> command) throws IOException {
    executable(bin().resolve(name), script(call(command)));
  }

  /**
   * Makes these front ends call a command directly with their arguments. configure compiles often,
   * and its compiles are not part of the build.
   *
   * @param commands commands by the name of the front end
   */
  void probe(Map<String, List<String>> commands) throws IOException {
    Path probes = Files.createDirectories(folder.resolve("probe"));
    for (Map.Entry<String, List<String>> c : commands.entrySet()) {
      // With flags of the linker, clang takes -v alone for a link that fails; libtool then takes
      // the compiler for unusable.
      String version = "[ \"$*\" != -v ] || " + call(c.getValue().subList(0, 1));
      executable(probes.resolve(c.getKey()), script(version + call(c.getValue())));
    }
  }

  /** Undoes {@link #probe}. */
  void probed() throws IOException {
    Folders.delete(folder.resolve("probe"));
  }

  private static String script(String lines) {
    return "#!/bin/sh\n" + lines;
  }

  private static String call(List<String> command) {
    StringBuilder line = new StringBuilder("exec");
    command.forEach(w -> line.append(' ').append(ShellWord.quoted(w)));
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
      // Closed at the end of the build.
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
    } catch (IOException e) {
      answer = new Answer(1, "", "rocport: " + SourceTree.reason(e) + "\n");
    } catch (RuntimeException e) {
      answer = new Answer(1, "", "rocport: a bug in rocport: " + e + "\n");
    } catch (InterruptedException e) {
      return;
    }
    try {
      Files.writeString(request.resolve("output"), answer.output());
      Files.writeString(request.resolve("messages"), answer.messages());
      Path pipe = request.resolve("answer");
      byte[] code = (answer.code() + "\n").getBytes(StandardCharsets.US_ASCII);
      // Opened to read and write, so that opening does not block if the front end was killed. The
      // front end already has the pipe open, so closing it here loses nothing.
      try (RandomAccessFile out = new RandomAccessFile(pipe.toFile(), "rw")) {
        out.write(code);
      }
    } catch (IOException e) {
      // The front end was killed and its folder was deleted.
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
