package dev.rocport.device.codeobject;

import dev.rocport.device.isa.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the code object for a GPU in the data that a compiler embeds in a program: a bundle of
 * clang's offload bundler, or a single code object.
 */
public final class FatBinary {
  private static final byte[] MAGIC =
      "__CLANG_OFFLOAD_BUNDLE__".getBytes(StandardCharsets.US_ASCII);

  private FatBinary() {}

  /**
   * The code object for a target, or empty where the bundle has none.
   *
   * @throws BadCodeObjectException where the bytes are neither a bundle nor a code object
   */
  public static Optional<byte[]> select(byte[] bytes, Target target) {
    if (startsWith(bytes, MAGIC)) {
      return fromBundle(bytes, target);
    }
    if (isCompressed(bytes)) {
      return fromBundle(CompressedBundle.unpack(bytes), target);
    }
    return CodeObject.read(bytes).target() == target ? Optional.of(bytes) : Optional.empty();
  }

  private static boolean isCompressed(byte[] bytes) {
    return bytes.length > 4
        && bytes[0] == 'C'
        && bytes[1] == 'C'
        && bytes[2] == 'O'
        && bytes[3] == 'B';
  }

  /** The targets that a bundle has code for, as its entries name them, or that of a code object. */
  public static List<String> targets(byte[] bytes) {
    if (isCompressed(bytes)) {
      return targets(CompressedBundle.unpack(bytes));
    }
    return startsWith(bytes, MAGIC)
        ? entries(bytes).stream().map(Entry::id).toList()
        : List.of(CodeObject.read(bytes).fullArch());
  }

  private record Entry(String id, int offset, int size) {}

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length > prefix.length
        && java.util.Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static Optional<byte[]> fromBundle(byte[] bytes, Target target) {
    for (Entry e : entries(bytes)) {
      int at = e.id().lastIndexOf("--");
      if (at < 0 || !e.id().startsWith("hip")) {
        continue;
      }
      String arch = e.id().substring(at + 2);
      int colon = arch.indexOf(':');
      if ((colon < 0 ? arch : arch.substring(0, colon)).equals(target.arch())
          && !arch.contains("xnack+")
          && !arch.contains("sramecc-")) {
        return Optional.of(java.util.Arrays.copyOfRange(bytes, e.offset(), e.offset() + e.size()));
      }
    }
    return Optional.empty();
  }

  private static List<Entry> entries(byte[] bytes) {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      long count = in.getLong(24);
      int at = 32;
      List<Entry> entries = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        long offset = in.getLong(at);
        long size = in.getLong(at + 8);
        int nameSize = Math.toIntExact(in.getLong(at + 16));
        if (offset < 0 || size < 0 || offset > bytes.length - size || nameSize < 0) {
          throw new BadCodeObjectException("an entry of the fat binary lies outside it");
        }
        entries.add(
            new Entry(
                new String(bytes, at + 24, nameSize, StandardCharsets.UTF_8),
                (int) offset,
                (int) size));
        at += 24 + nameSize;
      }
      return entries;
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      throw new BadCodeObjectException("the fat binary is truncated", e);
    }
  }
}
