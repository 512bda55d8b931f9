package dev.rocport.verify;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.Checks;
import dev.rocport.device.server.VisibleGpus;
import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ProcessTree;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * rocport's devices for the programs of a verification, started on first use and ended with this.
 * One process has the GPUs of all targets; a program sees those of its own.
 */
final class Devices implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);

  /** GPUs of each target, unless a program needs more: so that programs share a warm device. */
  private static final int EACH = 8;

  private static final List<String> SHARED = List.of("ROCPORT_ENGINE", "ROCPORT_TURNS");

  private final List<String> java;
  private final List<String> targets;
  private final Path folder;
  private final Map<Key, Running> devices = new HashMap<>();
  private int made;

  /**
   * What one process serves: programs choose their seeds themselves.
   *
   * @param each GPUs of each target
   */
  private record Key(int each, Set<Check> checks, Duration limit) {}

  private record Running(ProcessTree tree, Path socket) {}

  /**
   * No device yet.
   *
   * @param java the command that starts rocport, without its arguments
   * @param targets of the GPUs
   * @param folder for sockets and logs; its path is short
   */
  Devices(List<String> java, List<String> targets, Path folder) {
    this.java = List.copyOf(java);
    this.targets = List.copyOf(targets);
    this.folder = folder;
  }

  /**
   * The variables that lead a program to a device.
   *
   * @param target one of the targets
   * @param gpus how many GPUs the program sees
   * @param checks what it looks for
   * @param limit a kernel without progress for that long is stopped
   */
  synchronized Map<String, String> environment(
      String target, int gpus, Checks checks, Duration limit)
      throws IOException, InterruptedException, VerifyException {
    Key key = new Key(Math.max(EACH, gpus), checks.on(), limit);
    Running device = devices.get(key);
    if (device == null || !device.tree().isAlive()) {
      device = start(key, checks);
    }
    return Map.of(
        "ROCPORT_DEVICE",
        device.socket().toString(),
        "ROCR_VISIBLE_DEVICES",
        VisibleGpus.ofTarget(targets, target, key.each(), gpus));
  }

  private Running start(Key key, Checks checks)
      throws IOException, InterruptedException, VerifyException {
    String name = "d" + made++;
    Path socket = folder.resolve(name + ".sock");
    Path log = folder.resolve(name + ".log");
    List<String> command = new ArrayList<>(java);
    command.addAll(List.of("device", "--socket", socket.toString()));
    command.addAll(List.of("--gpu", String.join(",", targets)));
    command.addAll(List.of("--gpus", Integer.toString(key.each()), "--linger", "3600"));
    command.addAll(List.of("--timeout", Long.toString(key.limit().toSeconds())));
    if (!checks.text().isEmpty()) {
      command.addAll(List.of("--check", checks.text()));
    }
    Exec program = Exec.of(command).merged().output(log).grace(ProcessTree.GRACE);
    program.environment().keySet().removeIf(Devices::isOfRun);
    Running device = new Running(program.start(), socket);
    devices.put(key, device);
    long end = System.nanoTime() + START.toNanos();
    while (!listens(socket)) {
      if (!device.tree().isAlive() || System.nanoTime() > end) {
        throw new VerifyException("the device did not start: " + Files.readString(log).strip());
      }
      Thread.sleep(20);
    }
    return device;
  }

  /** Variables for one program do not configure what all share: these do. */
  private static boolean isOfRun(String variable) {
    return variable.startsWith("ROCPORT_") && !SHARED.contains(variable);
  }

  private static boolean listens(Path socket) {
    if (!Files.exists(socket)) {
      return false;
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public synchronized void close() {
    // All at once, and then one after the other.
    devices.values().forEach(d -> d.tree().terminate());
    devices.values().forEach(d -> d.tree().close());
  }
}
