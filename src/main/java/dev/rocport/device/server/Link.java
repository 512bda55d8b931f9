package dev.rocport.device.server;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** The device's end of a connection. One thread uses it. */
final class Link {
  /** Larger messages are refused: no code object is larger. */
  private static final int LARGEST = 1 << 30;

  /** Memory for a message grows with the bytes received, not with its declared size. */
  private static final int FIRST_PART = 1 << 16;

  private final SocketChannel channel;

  /** A byte that was read too early. */
  private @Nullable Byte early;

  Link(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Reads a request.
   *
   * @param limit the most bytes that it may have
   * @throws IOException where the program has gone, or sends no requests
   */
  Wire.Request read(int limit) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    Byte first = early;
    if (first != null) {
      head.put(first);
      early = null;
    }
    fill(head);
    head.flip();
    int size = head.getInt() - 4;
    int type = head.getShort() & 0xffff;
    if (size < 0 || size > Math.min(limit, LARGEST)) {
      throw new IOException("a message of " + size + " bytes");
    }
    ByteBuffer payload = ByteBuffer.allocate(Math.min(size, FIRST_PART));
    fill(payload);
    while (payload.position() < size) {
      int larger = (int) Math.min(size, 2L * payload.capacity());
      payload = ByteBuffer.allocate(larger).put(payload.flip());
      fill(payload);
    }
    return new Wire.Request(type, payload.flip().order(ByteOrder.LITTLE_ENDIAN));
  }

  private void fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException();
      }
    }
  }

  /** Whether the program has closed its end, or has died. */
  boolean isGone() throws IOException {
    if (early != null) {
      return false;
    }
    ByteBuffer one = ByteBuffer.allocate(1);
    channel.configureBlocking(false);
    try {
      int read = channel.read(one);
      if (read == 1) {
        early = one.get(0);
      }
      return read < 0;
    } finally {
      channel.configureBlocking(true);
    }
  }

  void write(int type, Status status, byte[] payload) throws IOException {
    Wire.write(channel, type, status, payload);
  }
}
