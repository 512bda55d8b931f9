package dev.rocport.toolchain.runtime;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.GfxTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The AMD GPUs that the kernel driver reports. */
public final class Gpus {
  private static final String NODES = "sys/class/kfd/kfd/topology/nodes";

  private Gpus() {}

  /**
   * Targets of the GPUs, in the driver's order.
   *
   * @param machine the file system's root, another folder for tests
   */
  public static List<GfxTarget> of(Path machine) throws IOException {
    List<GfxTarget> found = new ArrayList<>();
    for (Path node : Folders.list(machine.resolve(NODES))) {
      Path properties = node.resolve("properties");
      if (Files.isReadable(properties)) {
        for (String line : Files.readAllLines(properties)) {
          String[] words = line.strip().split("\\s+");
          if (words.length == 2 && words[0].equals("gfx_target_version")) {
            target(words[1]).ifPresent(found::add);
          }
        }
      }
    }
    return List.copyOf(found);
  }

  /** {@code 90402} is gfx942: two decimal digits each for minor and stepping; 0 is a processor. */
  public static Optional<GfxTarget> target(String version) {
    if (!version.matches("[1-9]\\d{4,5}")) {
      return Optional.empty();
    }
    int v = Integer.parseInt(version);
    return Optional.of(new GfxTarget("gfx%d%x%x".formatted(v / 10000, v / 100 % 100, v % 100)));
  }
}
