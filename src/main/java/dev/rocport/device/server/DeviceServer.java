package dev.rocport.device.server;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;

/** Listens on a socket and serves programs until none has been there for a while. */
public final class DeviceServer {
  private final DeviceOptions options;
  private final Device device;
  private final Map<Long, Session> sessions = new HashMap<>();
  private final ServerSocketChannel listener;
  private final Path socket;
  private long lastSession;
  private long emptySince = System.nanoTime();

  /**
   * Opens the socket.
   *
   * @throws IOException where that cannot be done
   */
  public DeviceServer(DeviceOptions options, Path socket) throws IOException {
    this.options = options;
    this.socket = socket;
    this.device = new Device(options);
    Files.deleteIfExists(socket);
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket));
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
  }

  Device device() {
    return device;
  }

  /** Serves until the last program has been gone for {@link DeviceOptions#linger}. */
  public void serve() throws IOException {
    Thread.ofPlatform().daemon().name("rocport-linger").start(this::watch);
    try (listener) {
      while (true) {
        SocketChannel channel = listener.accept();
        Thread.ofPlatform()
            .daemon()
            .name("rocport-connection")
            .start(new Connection(channel, this));
      }
    } catch (AsynchronousCloseException e) {
      // Nobody was there for long enough.
    } finally {
      Files.deleteIfExists(socket);
    }
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(100);
        synchronized (this) {
          if (sessions.isEmpty() && System.nanoTime() - emptySince > options.linger().toNanos()) {
            stop();
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stop() {
    try {
      // The name goes first, so that a program which comes now starts a device of its own.
      Files.deleteIfExists(socket);
      listener.close();
    } catch (IOException e) {
      // It is closed as far as can be.
    }
  }

  synchronized void stopIfUnused() {
    if (sessions.isEmpty()) {
      stop();
    }
  }

  synchronized Session begin(String program) {
    Session session = new Session(++lastSession, program, device);
    sessions.put(session.id(), session);
    return session;
  }

  synchronized Session session(long id) {
    Session session = sessions.get(id);
    if (session == null) {
      throw new RequestException(Status.INVALID_VALUE, "no session " + id);
    }
    return session;
  }

  void end(Session session) {
    session.close();
    synchronized (this) {
      sessions.remove(session.id());
      emptySince = System.nanoTime();
    }
  }
}
