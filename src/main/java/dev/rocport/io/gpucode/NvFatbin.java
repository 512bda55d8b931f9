package dev.rocport.io.gpucode;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * NVIDIA's fat binary: a header of 16 bytes (magic 32 bits, version 16, size of the header 16, size
 * of what follows 64), then entries of code, each after its own header (kind 16 bits, version 16,
 * size of the header 32, size of the code 64; the architecture's number 32 bits at 28).
 *
 * @param header bytes of its header
 * @param size bytes of its entries
 */
public record NvFatbin(int header, long size) {
  /** The sections of objects, programs and libraries that hold fat binaries. */
  public static final Set<String> SECTIONS = Set.of(".nv_fatbin", "__nv_relfatbin");

  public static final int MAGIC = 0xba55ed50;

  /** Bytes of the smallest header. */
  public static final int HEADER = 16;

  /** Bytes of the smallest header of an entry. */
  public static final int ENTRY_HEADER = 32;

  /** The kind of an entry with PTX. */
  public static final int PTX = 1;

  /** The kind of an entry with machine code. */
  public static final int CUBIN = 2;

  private static final int ARCHITECTURE = 28;

  /** From this ABI version on, the architecture is in the second byte of the flags. */
  private static final int ABI_WITH_WIDE_NUMBERS = 8;

  /**
   * Code for one architecture.
   *
   * @param header bytes of its header
   * @param size bytes of its code
   * @param architecture the number after {@code sm_}, as the file has it
   */
  public record Entry(int kind, long header, long size, int architecture) {
    /** Whether its sizes are possible where so many bytes remain, its header included. */
    public boolean fits(long room) {
      return header >= ENTRY_HEADER && size >= 0 && size <= room - header;
    }
  }

  /** Whether these bytes begin with the header of a fat binary. */
  public static boolean isFatbin(ByteBuffer b) {
    return b.remaining() >= HEADER && b.slice().order(ByteOrder.LITTLE_ENDIAN).getInt(0) == MAGIC;
  }

  /** The header at an offset of little-endian bytes, of which {@link #HEADER} are there. */
  public static NvFatbin at(ByteBuffer b, int at) {
    return new NvFatbin(b.getShort(at + 6) & 0xffff, b.getLong(at + 8));
  }

  /** The entry at an offset of little-endian bytes, of which {@link #ENTRY_HEADER} are there. */
  public static Entry entry(ByteBuffer b, int at) {
    return new Entry(
        b.getShort(at) & 0xffff,
        b.getInt(at + 4) & 0xffffffffL,
        b.getLong(at + 8),
        b.getInt(at + ARCHITECTURE));
  }

  /** The architecture of a cubin, by the ABI version and the flags of its ELF header. */
  public static int architecture(int abiVersion, int flags) {
    return flags >>> (abiVersion >= ABI_WITH_WIDE_NUMBERS ? 8 : 0) & 0xff;
  }
}
