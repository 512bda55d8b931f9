package dev.rocport.cli;

import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** In place of rocport's: starts a program, writes its number, and is killed. */
public final class Worker {
  private Worker() {}

  public static void main(String[] args) throws Exception {
    DataInputStream in = new DataInputStream(System.in);
    in.readInt();
    Path output = Path.of(in.readUTF());
    Process program = new ProcessBuilder("sleep", "600").start();
    Files.writeString(output, String.valueOf(program.pid()));
    new ProcessBuilder("kill", "-KILL", String.valueOf(ProcessHandle.current().pid())).start();
    program.waitFor();
  }
}
