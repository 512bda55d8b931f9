package dev.rocport.verify;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The name of this machine. */
final class HostName {
  private HostName() {}

  /** That of Slurm if it started this process, else that of the system. */
  static String of(Map<String, String> environment) throws IOException {
    String node = environment.getOrDefault("SLURMD_NODENAME", "");
    if (!node.isEmpty()) {
      return node;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return unresolved(environment, Path.of("/proc/sys/kernel/hostname"));
    }
  }

  /**
   * The name of a machine that no address belongs to.
   *
   * @param kernel the file with the kernel's name for it
   */
  static String unresolved(Map<String, String> environment, Path kernel) throws IOException {
    String name = environment.getOrDefault("HOSTNAME", "");
    return name.isEmpty() ? Files.readString(kernel).strip() : name;
  }
}
