package dev.rocport.io;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads what {@link PackedWriter} wrote, in the same order. Damaged input leads to an {@link
 * InvalidFileException} or to wrong values, so what is read needs a checksum.
 */
public final class PackedReader {
  private final List<String> texts = new ArrayList<>();
  private final byte[] bytes;
  private int at;

  public PackedReader(byte[] bytes) {
    this.bytes = bytes;
  }

  private int next() {
    if (at == bytes.length) {
      throw new InvalidFileException("the packed values end too early");
    }
    return bytes[at++] & 0xff;
  }

  public long number() {
    long value = 0;
    int shift = 0;
    int b = next();
    while (b >= 0x80) {
      value |= (long) (b & 0x7f) << shift;
      shift += 7;
      b = next();
    }
    value |= (long) b << shift;
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads a number that is an {@code int}. */
  public int integer() {
    return (int) number();
  }

  /** Reads a number of things that follow, each of at least one byte. */
  public int count() {
    long count = number();
    if (count < 0 || count > bytes.length - at) {
      throw new InvalidFileException("the packed values end too early");
    }
    return (int) count;
  }

  public long bits() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      value |= (long) next() << shift;
    }
    return value;
  }

  public boolean flag() {
    return next() != 0;
  }

  /** Reads a constant of an enumeration. */
  public <T extends Enum<T>> T constant(Class<T> type) {
    String name = text();
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new InvalidFileException("a packed constant is not known: " + name, e);
    }
  }

  public String text() {
    int known = integer();
    if (known < 0 || known > texts.size()) {
      throw new InvalidFileException("a packed text is not known");
    }
    if (known == texts.size()) {
      texts.add(new String(bytes(), StandardCharsets.UTF_8));
    }
    return texts.get(known);
  }

  public byte[] bytes() {
    int length = count();
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  public <T> List<T> list(Supplier<T> each) {
    int count = count();
    List<T> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(each.get());
    }
    return List.copyOf(values);
  }

  public <T> Optional<T> optional(Supplier<T> present) {
    return flag() ? Optional.of(present.get()) : Optional.empty();
  }

  /** Reads a map that keeps its order. */
  public <T> Map<String, T> map(Supplier<T> each) {
    int count = count();
    Map<String, T> values = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      values.put(text(), each.get());
    }
    return values;
  }
}
