package dev.rocport.device.server;

import dev.rocport.device.DeviceProcess;
import dev.rocport.device.isa.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A device in a process of its own. GPUs 0 and 1 are gfx90a, 2 and 3 gfx942; small ones, so that
 * their limits can be met.
 */
final class SmallDevice implements AutoCloseable {
  static final int COMPUTE_UNITS = 4;

  private static final String[] OPTIONS = {
    "--gpu", "gfx90a,gfx942", "--gpus", "2", "--memory", "1024", "--cus", "" + COMPUTE_UNITS
  };

  private static @Nullable SmallDevice shared;

  private final DeviceProcess device;

  private SmallDevice(DeviceProcess device) {
    this.device = device;
  }

  private static String[] with(String... options) {
    return Stream.of(OPTIONS, options).flatMap(Stream::of).toArray(String[]::new);
  }

  /** A device of one's own, with options of its command line. */
  static SmallDevice start(String... options) throws Exception {
    return new SmallDevice(DeviceProcess.start(with(options)));
  }

  /** One that may not come up, at {@code socket}. */
  static SmallDevice start(Path folder, Path socket, String... options) throws IOException {
    return new SmallDevice(DeviceProcess.launch(folder, socket, with(options)));
  }

  /** Another device where one has died. */
  static SmallDevice restart(SmallDevice dead, String... options) throws Exception {
    return new SmallDevice(dead.device.again(with(options)));
  }

  /** The device that tests share. */
  private static synchronized SmallDevice shared() throws Exception {
    if (shared == null || !shared.process().isAlive()) {
      shared = start("--linger", "60");
    }
    return shared;
  }

  /** A program on the device that tests share. */
  static Client connect() throws Exception {
    return shared().client();
  }

  /** A program on this device. */
  Client client() throws IOException {
    return new Client(socket());
  }

  Path socket() {
    return device.socket();
  }

  Process process() {
    return device.process();
  }

  /** What the process has printed. */
  String log() throws IOException {
    return device.log();
  }

  /** The first GPU of a target. */
  static int gpu(Target target) {
    return switch (target) {
      case GFX90A -> 0;
      case GFX942 -> 2;
      case GFX950, GFX1100, GFX1151, GFX1201 ->
          throw new IllegalArgumentException(target + " is not in it");
    };
  }

  @Override
  public void close() {
    device.close();
  }
}
