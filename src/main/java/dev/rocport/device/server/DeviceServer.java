package dev.rocport.device.server;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Listens on a socket and serves programs until none has been connected for a while. */
public final class DeviceServer {
  /** More connections than this are turned away. */
  private static final int MOST_CONNECTIONS = 4096;

  /** Time limit for HELLO; a connection that misses it is closed. */
  private static final long GREETING_NANOS = 10_000_000_000L;

  /** Milliseconds between looks at who is there. */
  private static final long LOOK = 100;

  private final DeviceOptions options;
  private final Device device;
  private final Map<Long, Session> sessions = new HashMap<>();

  /** The connections that have not sent HELLO, with the time when they connected, oldest first. */
  private final Map<Connection, Long> strangers = new LinkedHashMap<>();

  private final ListeningSocket socket;
  private int connections;
  private long lastSession;
  private long emptySince = System.nanoTime();
  private boolean ending;

  /**
   * Makes the device and opens the socket.
   *
   * @throws IOException where that cannot be done
   */
  public DeviceServer(DeviceOptions options, Path socket) throws IOException {
    this.options = options;
    try {
      // Before the socket: who finds that can be served.
      this.device = new Device(options);
    } catch (IllegalStateException e) {
      throw new IOException(
          "the system provides no shared memory for the device: " + e.getMessage(), e);
    }
    this.socket = new ListeningSocket(socket);
  }

  Device device() {
    return device;
  }

  /** Serves until the last program has been disconnected for {@link DeviceOptions#linger}. */
  public void serve() throws IOException {
    Thread.ofPlatform().daemon().name("rocport-linger").start(this::watch);
    try (socket) {
      while (socket.isOpen()) {
        try {
          welcome(socket.accept());
        } catch (ClosedChannelException e) {
          return;
        } catch (IOException | OutOfMemoryError e) {
          // No descriptors or threads are left for this one.
          pause();
        }
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void welcome(SocketChannel channel) throws IOException {
    Connection connection = new Connection(channel, this);
    synchronized (this) {
      if (connections >= MOST_CONNECTIONS) {
        channel.close();
        return;
      }
      connections++;
      strangers.put(connection, System.nanoTime());
    }
    try {
      Thread.ofPlatform().daemon().name("rocport-connection").start(connection);
    } catch (OutOfMemoryError e) {
      channel.close();
      closed(connection);
      throw e;
    }
  }

  private void watch() {
    try {
      while (socket.isOpen()) {
        Thread.sleep(LOOK);
        synchronized (this) {
          dismissStrangers();
          if (isUnused(options.linger().toNanos())) {
            end();
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void dismissStrangers() {
    long now = System.nanoTime();
    Iterator<Map.Entry<Connection, Long>> oldest = strangers.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<Connection, Long> stranger = oldest.next();
      if (now - stranger.getValue() < GREETING_NANOS) {
        return;
      }
      oldest.remove();
      stranger.getKey().close();
    }
  }

  private boolean isUnused(long nanos) {
    return sessions.isEmpty()
        && strangers.isEmpty()
        && (ending || System.nanoTime() - emptySince > nanos);
  }

  /** The first time, nobody new finds the way; the next time, those on the way have come. */
  private void end() {
    try {
      if (ending) {
        socket.close();
      } else {
        socket.hide();
      }
    } catch (IOException e) {
      // It is closed as far as can be.
    }
    ending = true;
  }

  synchronized void stopIfUnused() {
    if (sessions.isEmpty()) {
      ending = true;
      end();
    }
  }

  /** A connection has sent HELLO. */
  synchronized void greeted(Connection connection) {
    strangers.remove(connection);
  }

  synchronized void closed(Connection connection) {
    strangers.remove(connection);
    connections--;
  }

  /**
   * A new program.
   *
   * @param checks the text of its checks, of which the seed and the delays are used; may be empty
   */
  synchronized Session begin(String program, List<Integer> visible, String checks) {
    Session session =
        new Session(
            ++lastSession, program, device, visible, device.dispatch().checks().chosenBy(checks));
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
    try {
      session.close();
    } finally {
      synchronized (this) {
        sessions.remove(session.id());
        emptySince = System.nanoTime();
      }
    }
  }
}
