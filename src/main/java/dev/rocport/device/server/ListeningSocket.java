package dev.rocport.device.server;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import jdk.net.ExtendedSocketOptions;

/**
 * The socket that programs find a device at. A locked file beside it, {@code NAME.held}, says that
 * a device is there: a socket without one was left by a device that died, and is replaced.
 */
final class ListeningSocket implements AutoCloseable {
  /** The longest path of a Unix socket on Linux. */
  private static final int LONGEST = 107;

  /** How long to wait for a device that is just ending, in milliseconds. */
  private static final long PATIENCE = 3000;

  private final Path path;
  private final FileChannel held;
  private final ServerSocketChannel listener;
  private final String owner;

  /**
   * Listens at {@code path}.
   *
   * @throws IOException where a device is there already, or the folder does not let us
   */
  ListeningSocket(Path path) throws IOException {
    this.path = path;
    if (path.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length > LONGEST) {
      throw new IOException("the socket path is longer than " + LONGEST + " bytes: " + path);
    }
    this.held = hold(path);
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      Files.deleteIfExists(path);
      channel.bind(UnixDomainSocketAddress.of(path));
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      this.owner = Files.getOwner(path).getName();
    } catch (IOException e) {
      channel.close();
      held.close();
      throw new IOException("cannot listen on " + path + ": " + e.getMessage(), e);
    }
    this.listener = channel;
  }

  private static FileChannel hold(Path path) throws IOException {
    Path name = path.resolveSibling(path.getFileName() + ".held");
    FileChannel file;
    try {
      file =
          FileChannel.open(
              name,
              java.util.Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (AccessDeniedException e) {
      throw new IOException("no permission to create a socket at " + path, e);
    } catch (NoSuchFileException e) {
      throw new IOException("the folder of the socket does not exist: " + path, e);
    }
    long until = System.nanoTime() + PATIENCE * 1_000_000;
    while (!lock(file)) {
      if (isAnswered(path) || System.nanoTime() > until) {
        file.close();
        throw new IOException("a device is already running at " + path);
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    return file;
  }

  private static boolean lock(FileChannel file) throws IOException {
    try {
      FileLock lock = file.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static boolean isAnswered(Path path) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Waits for a program.
   *
   * @throws IOException where it cannot be let in; others may be
   * @throws java.nio.channels.ClosedChannelException where this has been closed
   */
  SocketChannel accept() throws IOException {
    while (true) {
      SocketChannel channel = listener.accept();
      if (channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName().equals(owner)) {
        return channel;
      }
      channel.close();
    }
  }

  boolean isOpen() {
    return listener.isOpen();
  }

  /** Takes the name away, so that programs which come now start a device of their own. */
  void hide() throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void close() throws IOException {
    // The name goes before the lock, so that it is never another device's.
    if (held.isOpen()) {
      hide();
    }
    listener.close();
    held.close();
  }
}
