package dev.rocport.device.codeobject;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The debug sections of a code object, and the numbers and strings in them. Reading beyond a
 * section throws {@link BufferUnderflowException} or {@link IndexOutOfBoundsException}. Source: the
 * DWARF 5 standard, section 7.
 */
final class DebugData {
  private final byte[] image;
  private final Map<String, CodeObject.Section> sections = new HashMap<>();

  DebugData(byte[] image, List<CodeObject.Section> sections) {
    this.image = image;
    sections.forEach(s -> this.sections.putIfAbsent(s.name(), s));
  }

  /** Returns a section from an offset on; empty if there is no section of that name. */
  ByteBuffer section(String name, long offset) {
    CodeObject.Section s = sections.get(name);
    int size = s == null ? 0 : s.size();
    if (offset < 0 || offset > size) {
      throw new BufferUnderflowException();
    }
    int start = s == null ? 0 : s.offset();
    return ByteBuffer.wrap(image, start, size)
        .slice()
        .position((int) offset)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  String string(String section, long offset) {
    return string(section(section, offset));
  }

  static String string(ByteBuffer in) {
    int start = in.position();
    int end = start;
    while (in.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - start];
    in.get(bytes);
    in.get();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** ULEB128. */
  static long unsigned(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = in.get();
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value;
      }
    }
  }

  /** SLEB128. */
  static long signed(ByteBuffer in) {
    long value = 0;
    int shift = 0;
    byte b;
    do {
      b = in.get();
      value |= (b & 0x7fL) << shift;
      shift += 7;
    } while (b < 0);
    return shift < 64 && (b & 0x40) != 0 ? value | -1L << shift : value;
  }

  /** An unsigned number of 1 to 8 bytes. */
  static long number(ByteBuffer in, int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (in.get() & 0xffL) << (8 * i);
    }
    return value;
  }

  /** Skips bytes, or throws where there are fewer. */
  static void skip(ByteBuffer in, long bytes) {
    if (bytes < 0 || bytes > in.remaining()) {
      throw new BufferUnderflowException();
    }
    in.position(in.position() + (int) bytes);
  }
}
