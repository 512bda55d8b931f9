package dev.rocport.io.gpucode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A bundle of clang's offload bundler: the magic {@code __CLANG_OFFLOAD_BUNDLE__}, the number of
 * entries (64 bits), then for each its offset from the magic, its size, the length of its name (64
 * bits each) and its name.
 *
 * @param entries in the order of the file
 * @param end the first offset after the heads and contents of all entries
 */
public record OffloadBundle(List<Entry> entries, long end) {
  /** Its first bytes; also the first part of the name of a section with the code for a target. */
  public static final String MAGIC = "__CLANG_OFFLOAD_BUNDLE__";

  private static final String COMPRESSED = "CCOB";

  /** Offset, size and length of the name. */
  private static final int HEAD = 24;

  /** The bundles of a section begin at multiples of it. */
  private static final int STEP = 8;

  public OffloadBundle {
    entries = List.copyOf(entries);
  }

  /**
   * The code for one target, or for the host.
   *
   * @param id kind and target: {@code hipv4-amdgcn-amd-amdhsa--gfx90a}, {@code
   *     host-x86_64-unknown-linux--}
   * @param offset from the magic
   */
  public record Entry(String id, long offset, long size) {
    public boolean isHost() {
      return id.startsWith("host");
    }

    /** Whether its content lies within so many bytes after the magic. */
    public boolean fits(long length) {
      return offset >= 0 && size >= 0 && offset <= length - size;
    }

    /** Its content in the bytes of its bundle, which it must fit. */
    public ByteBuffer content(ByteBuffer bundle) {
      return bundle.slice((int) offset, (int) size);
    }
  }

  /** Takes the bundles of a section. */
  public interface Visitor {
    /**
     * Takes one; its entries fit.
     *
     * @param bytes from the magic on, unpacked if the bundle was compressed
     */
    void visit(OffloadBundle bundle, ByteBuffer bytes) throws IOException;
  }

  /**
   * Passes on all bundles of a section {@code .hip_fatbin}, in its order. A program has one for
   * each of its translation units.
   *
   * @throws IOException if one is damaged
   */
  public static void each(ByteBuffer section, Visitor visitor) throws IOException {
    int at = 0;
    while (at + STEP <= section.limit()) {
      int length = STEP;
      if (isCompressedAt(section, at)) {
        length = Math.toIntExact(CompressedBundle.size(section, at));
        whole(unpacked(section.slice(at, length)), visitor);
      } else if (isAt(section, at)) {
        length = whole(section.slice(at, section.limit() - at), visitor);
      }
      at += length + STEP - 1 & -STEP;
    }
  }

  /** Passes on the bundle at the start; returns its length. */
  private static int whole(ByteBuffer bytes, Visitor visitor) throws IOException {
    OffloadBundle bundle = at(bytes, 0);
    if (!bundle.entries().stream().allMatch(e -> e.fits(bytes.limit()))) {
      throw new IOException("damaged bundle of GPU code");
    }
    int length = (int) bundle.end();
    visitor.visit(bundle, bytes.slice(0, length));
    return length;
  }

  /**
   * Unpacks a bundle that was made with {@code --offload-compress}.
   *
   * @throws IOException if it is damaged
   */
  public static ByteBuffer unpacked(ByteBuffer compressed) throws IOException {
    byte[] bytes = new byte[compressed.limit()];
    compressed.get(0, bytes);
    return ByteBuffer.wrap(CompressedBundle.unpack(bytes));
  }

  /** Whether a bundle begins at an offset. */
  public static boolean isAt(ByteBuffer bytes, int at) {
    return startsWith(bytes, at, MAGIC);
  }

  /** Whether a bundle that was made with {@code --offload-compress} begins at an offset. */
  public static boolean isCompressedAt(ByteBuffer bytes, int at) {
    return startsWith(bytes, at, COMPRESSED);
  }

  /**
   * Reads the heads of a bundle. Entries may claim contents that are not there, see {@link
   * Entry#fits}.
   *
   * @param start the offset of the magic
   * @throws IOException if it ends before its last entry
   */
  public static OffloadBundle at(ByteBuffer bytes, int start) throws IOException {
    ByteBuffer b = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    try {
      int at = start + MAGIC.length();
      long count = b.getLong(at);
      at += 8;
      long end = at;
      List<Entry> entries = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        long offset = b.getLong(at);
        long size = b.getLong(at + 8);
        long length = b.getLong(at + 16);
        if (length < 0 || length > b.limit() - at - HEAD) {
          throw new IOException("damaged bundle of GPU code");
        }
        byte[] id = new byte[(int) length];
        b.get(at + HEAD, id);
        at += HEAD + id.length;
        entries.add(new Entry(new String(id, StandardCharsets.UTF_8), offset, size));
        end = Math.max(end, Math.max(at, start + offset + size));
      }
      return new OffloadBundle(entries, end);
    } catch (IndexOutOfBoundsException e) {
      throw new IOException("damaged bundle of GPU code", e);
    }
  }

  private static boolean startsWith(ByteBuffer b, int at, String text) {
    if (at + text.length() > b.limit()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (b.get(at + i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
