package dev.rocport.device.codeobject;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads MessagePack, the form of a code object's metadata: maps and lists of strings, numbers (as
 * {@link Long} or {@link Double}) and booleans; nil is the empty string. Source: the MessagePack
 * specification.
 */
final class MessagePack {
  private static final int DEEPEST = 32;

  private final ByteBuffer in;

  private MessagePack(ByteBuffer in) {
    this.in = in;
  }

  /**
   * Reads one value.
   *
   * @throws BadCodeObjectException if the bytes are not MessagePack
   */
  static Object read(ByteBuffer bytes) {
    try {
      return new MessagePack(bytes.slice().order(ByteOrder.BIG_ENDIAN)).value(0);
    } catch (BufferUnderflowException e) {
      throw new BadCodeObjectException("the metadata is truncated", e);
    }
  }

  private Object value(int depth) {
    if (depth > DEEPEST) {
      throw new BadCodeObjectException("the metadata is nested too deeply");
    }
    int tag = in.get() & 0xff;
    if (tag < 0x80) {
      return (long) tag;
    }
    if (tag < 0x90) {
      return map(tag & 15, depth);
    }
    if (tag < 0xa0) {
      return list(tag & 15, depth);
    }
    if (tag < 0xc0) {
      return string(tag & 31);
    }
    if (tag >= 0xe0) {
      return (long) (byte) tag;
    }
    return switch (tag) {
      case 0xc0 -> "";
      case 0xc2 -> false;
      case 0xc3 -> true;
      case 0xc4, 0xd9 -> string(in.get() & 0xff);
      case 0xc5, 0xda -> string(in.getShort() & 0xffff);
      case 0xc6, 0xdb -> string(in.getInt());
      case 0xca -> (double) in.getFloat();
      case 0xcb -> in.getDouble();
      case 0xcc -> (long) (in.get() & 0xff);
      case 0xcd -> (long) (in.getShort() & 0xffff);
      case 0xce -> in.getInt() & 0xffffffffL;
      case 0xcf, 0xd3 -> in.getLong();
      case 0xd0 -> (long) in.get();
      case 0xd1 -> (long) in.getShort();
      case 0xd2 -> (long) in.getInt();
      case 0xdc -> list(in.getShort() & 0xffff, depth);
      case 0xdd -> list(in.getInt(), depth);
      case 0xde -> map(in.getShort() & 0xffff, depth);
      case 0xdf -> map(in.getInt(), depth);
      default -> throw new BadCodeObjectException("unknown tag in the metadata: " + tag);
    };
  }

  private String string(int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private List<Object> list(int count, int depth) {
    checkCount(count);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(value(depth + 1));
    }
    return values;
  }

  private Map<String, Object> map(int count, int depth) {
    checkCount(count);
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      values.put(String.valueOf(value(depth + 1)), value(depth + 1));
    }
    return values;
  }

  /** Every element takes at least one byte, so a count beyond the remaining bytes is invalid. */
  private void checkCount(int count) {
    if (count < 0 || count > in.remaining()) {
      throw new BufferUnderflowException();
    }
  }
}
