package dev.rocport.cli;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * In place of rocport's. Without arguments, it starts a program, writes its number, and is killed.
 * Otherwise it writes a report without files, and deletes the output that the fleet is writing, in
 * the folder {@code out} beside the repository.
 */
public final class Worker {
  private Worker() {}

  public static void main(String[] args) throws Exception {
    DataInputStream in = new DataInputStream(System.in);
    int count = in.readInt();
    Path output = Path.of(in.readUTF());
    if (count == 0) {
      Process program = new ProcessBuilder("sleep", "600").start();
      Files.writeString(output, String.valueOf(program.pid()));
      new ProcessBuilder("kill", "-KILL", String.valueOf(ProcessHandle.current().pid())).start();
      program.waitFor();
      return;
    }
    in.readUTF();
    Path repository = Path.of(in.readUTF());
    Files.writeString(output, "{\"totals\": {\"files\": 1}}");
    deleteUnfinished(repository.resolveSibling("out/_unfinished"));
    DataOutputStream answer = new DataOutputStream(System.out);
    answer.writeInt(0);
    answer.writeUTF("");
    answer.flush();
    in.readInt();
  }

  private static void deleteUnfinished(Path folder) throws IOException {
    try (Stream<Path> attempts = Files.list(folder)) {
      for (Path attempt : attempts.toList()) {
        Files.delete(attempt);
      }
    }
  }
}
