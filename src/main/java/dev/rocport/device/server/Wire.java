package dev.rocport.device.server;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Messages on a connection. The form is described in docs/device-protocol.md. */
final class Wire {
  static final int HELLO = 1;
  static final int ALLOC = 2;
  static final int FREE = 3;
  static final int LOAD = 4;
  static final int UNLOAD = 5;
  static final int LAUNCH = 6;
  static final int MEMINFO = 7;
  static final int PEER = 8;
  static final int IPC_EXPORT = 9;
  static final int IPC_OPEN = 10;
  static final int IPC_CLOSE = 11;
  static final int PING = 12;
  static final int STOP = 13;
  static final int OCCUPANCY = 14;
  static final int RESERVE = 15;
  static final int UNRESERVE = 16;
  static final int CREATE = 17;
  static final int RELEASE = 18;
  static final int EXPORT = 19;
  static final int IMPORT = 20;
  static final int MAP = 21;
  static final int UNMAP = 22;
  static final int ACCESS = 23;
  static final int TOUCHED = 24;
  static final int FOUND = 25;
  static final int SUMMARY = 26;
  static final int MEANWHILE = 27;
  static final int ALIAS = 28;
  static final int KEEP = 29;
  static final int REUSE = 30;
  static final int DELAYED = 31;
  static final int OUTPUT = 32;
  static final int MEET = 33;

  private Wire() {}

  /** A request as received. */
  record Request(int type, ByteBuffer payload) {
    int u32() {
      return payload.getInt();
    }

    /** Whether nothing is left, as where an older program does not send the last value. */
    boolean isAtEnd() {
      return payload.remaining() == 0;
    }

    long u64() {
      return payload.getLong();
    }

    String string() {
      byte[] bytes = new byte[checked(u32())];
      payload.get(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }

    byte[] bytes(int size) {
      byte[] bytes = new byte[checked(size)];
      payload.get(bytes);
      return bytes;
    }

    byte[] rest() {
      return bytes(payload.remaining());
    }

    private int checked(int size) {
      if (size < 0 || size > payload.remaining()) {
        throw new RequestException(
            Status.BAD_REQUEST, "a message that is shorter than its declared length");
      }
      return size;
    }
  }

  /** Builds a payload. */
  static final class Payload {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Payload u32(long value) {
      for (int i = 0; i < 4; i++) {
        out.write((int) (value >>> (8 * i)));
      }
      return this;
    }

    Payload u64(long value) {
      return u32(value).u32(value >>> 32);
    }

    Payload string(String value) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      return u32(bytes.length).bytes(bytes);
    }

    Payload bytes(byte[] bytes) {
      out.writeBytes(bytes);
      return this;
    }

    byte[] toBytes() {
      return out.toByteArray();
    }
  }

  static void write(SocketChannel channel, int type, Status status, byte[] payload)
      throws IOException {
    ByteBuffer out = ByteBuffer.allocate(8 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(4 + payload.length).putShort((short) type).putShort((short) status.code());
    out.put(payload).flip();
    while (out.hasRemaining()) {
      int written = channel.write(out);
      if (written < 0) {
        throw new EOFException();
      }
    }
  }
}
