package dev.rocport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerTest {
  @TempDir private Path folder;

  @Test
  void answersOneCommandAfterTheOther() throws Exception {
    PipedOutputStream requests = new PipedOutputStream();
    PipedInputStream answers = new PipedInputStream(1 << 16);
    PipedInputStream in = new PipedInputStream(requests, 1 << 16);
    PipedOutputStream out = new PipedOutputStream(answers);
    Thread worker = Thread.ofPlatform().start(() -> serve(in, out));
    DataOutputStream ask = new DataOutputStream(requests);
    DataInputStream answer = new DataInputStream(answers);
    Path text = folder.resolve("text");
    request(ask, text, "explain", "cudaMalloc");
    assertThat(answer.readInt()).isZero();
    assertThat(answer.readUTF()).isEmpty();
    assertThat(Files.readString(text)).contains("hipMalloc");
    request(ask, text, "audit", folder.resolve("none").toString());
    assertThat(answer.readInt()).isEqualTo(2);
    assertThat(answer.readUTF()).contains("none");
    request(ask, folder.resolve("no/such/folder"), "--version");
    assertThat(answer.readInt()).isEqualTo(2);
    assertThat(answer.readUTF()).contains("cannot write the report");
    requests.close();
    worker.join();
  }

  private static void serve(PipedInputStream in, PipedOutputStream out) {
    try {
      Worker.serve(in, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void request(DataOutputStream ask, Path output, String... args)
      throws IOException {
    ask.writeInt(args.length);
    ask.writeUTF(output.toString());
    for (String arg : args) {
      ask.writeUTF(arg);
    }
    ask.flush();
  }
}
