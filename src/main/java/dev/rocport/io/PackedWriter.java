package dev.rocport.io;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes values in a compact form, for caches. A number takes seven bits per byte, the lowest
 * first, and its sign is the lowest bit. A text is written once; then its number stands for it.
 */
public final class PackedWriter {
  private static final int SMALLEST = 1 << 10;

  private final Map<String, Integer> texts = new HashMap<>();
  private byte[] bytes = new byte[SMALLEST];
  private int size;

  private void put(int b) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    bytes[size++] = (byte) b;
  }

  public void number(long value) {
    long rest = (value << 1) ^ (value >> 63);
    while ((rest & ~0x7fL) != 0) {
      put((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    put((int) rest);
  }

  /** Writes all 64 bits of a number that is often large, such as a hash. */
  public void bits(long value) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      put((int) (value >>> shift));
    }
  }

  public void flag(boolean value) {
    put(value ? 1 : 0);
  }

  /** Writes a constant by its name. */
  public void constant(Enum<?> value) {
    text(value.name());
  }

  public void text(String text) {
    Integer known = texts.putIfAbsent(text, texts.size());
    number(known == null ? texts.size() - 1 : known);
    if (known == null) {
      bytes(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Writes some bytes and their number. */
  public void bytes(byte[] more) {
    number(more.length);
    if (bytes.length - size < more.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * size, size + more.length));
    }
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
  }

  /** Writes the number of the values, then each of them. */
  public <T> void list(Collection<? extends T> values, Consumer<T> each) {
    number(values.size());
    values.forEach(each);
  }

  public <T> void optional(Optional<? extends T> value, Consumer<T> present) {
    flag(value.isPresent());
    value.ifPresent(present);
  }

  /** Writes keys and values in the order of the map. */
  public <T> void map(Map<String, ? extends T> values, Consumer<T> each) {
    number(values.size());
    values.forEach(
        (name, value) -> {
          text(name);
          each.accept(value);
        });
  }

  /** Returns what was written. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
