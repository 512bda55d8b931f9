package dev.rocport.device.server;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program that takes memory, fills it, starts a kernel that never ends, and says so: for tests
 * that kill it.
 */
final class WaitingProgram {
  static final int MEGABYTES = 48;

  private WaitingProgram() {}

  public static void main(String[] args) throws Exception {
    Client client = new Client(Path.of(args[0]));
    long size = (long) MEGABYTES << 20;
    long memory = client.allocate(0, size);
    client.at(memory, size).fill((byte) 1);
    long flag = client.allocate(0, 1, 4);
    client.store(flag, 0);
    Client.Module module = client.module(0, Files.readAllBytes(Path.of(args[1])));
    client.send(Wire.LAUNCH, Client.launchRequest(module.kernel("spins"), 8, 256, flag).toBytes());
    Thread.sleep(300);
    System.out.println("runs");
    client.receive();
  }
}
