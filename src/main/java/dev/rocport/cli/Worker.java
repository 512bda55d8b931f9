package dev.rocport.cli;

import dev.rocport.cli.support.ExitCode;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs command lines that arrive on standard input, one after the other, so that many short
 * commands share one start of the virtual machine.
 *
 * <p>A request is the number of arguments (int), the file for standard output and the arguments
 * (each in Java's modified UTF-8). The answer is the exit code (int) and the beginning of standard
 * error (modified UTF-8). The next request comes after the answer. The process ends when its input
 * ends, also in the middle of a command: its parent is gone.
 */
public final class Worker {
  /** Below the limit of the encoding, 65,535 bytes, for characters of three bytes. */
  private static final int MOST_TEXT = 20_000;

  private Worker() {}

  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    // What a command prints past its writers must not get between the answers.
    System.setOut(System.err);
    serve(System.in, out);
    Runtime.getRuntime().halt(ExitCode.OK.code());
  }

  /** Answers requests until the input ends. */
  static void serve(InputStream requests, OutputStream answers) throws IOException {
    DataInputStream in = new DataInputStream(requests);
    DataOutputStream out = new DataOutputStream(answers);
    ExecutorService runner =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().name("command").daemon().factory());
    try {
      while (true) {
        int count = in.readInt();
        Path output = Path.of(in.readUTF());
        String[] args = new String[count];
        for (int i = 0; i < count; i++) {
          args[i] = in.readUTF();
        }
        // This thread reads on, to notice the end of the input.
        runner.execute(() -> answer(output, args, out));
      }
    } catch (EOFException e) {
      runner.shutdownNow();
    }
  }

  private static void answer(Path output, String[] args, DataOutputStream out) {
    StringWriter err = new StringWriter();
    int code;
    try (PrintWriter file =
        new PrintWriter(Files.newBufferedWriter(output, StandardCharsets.UTF_8))) {
      code = Main.run(file, new PrintWriter(err), args);
      if (file.checkError()) {
        code = ExitCode.USAGE.code();
        err.append("cannot write the report");
      }
    } catch (IOException e) {
      code = ExitCode.USAGE.code();
      err.append("cannot write the report: ").append(e.toString());
    }
    try {
      out.writeInt(code);
      out.writeUTF(err.getBuffer().substring(0, Math.min(err.getBuffer().length(), MOST_TEXT)));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
