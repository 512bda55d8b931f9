package dev.rocport.inventory.binary;

import dev.rocport.inventory.binary.Inside.Code;
import dev.rocport.io.elf.ElfFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Fat binaries: a header of 16 bytes (magic 32 bits, version 16, size of the header 16, size of
 * what follows 64), then entries of code, each behind a header of its own (kind 16 bits, version
 * 16, size of the header 32, size of the code 64; the architecture's number 32 bits at 28). A
 * section holds one behind the other, with zeros between.
 */
final class Fatbin {
  private static final int MAGIC = 0xba55ed50;
  private static final int HEADER = 16;
  private static final int ARCHITECTURE = 28;
  private static final int SMALLEST_ENTRY = 32;

  /** From this ABI version on, the architecture is in the second byte of the flags. */
  private static final int ABI_WITH_WIDE_NUMBERS = 8;

  private static final int LARGEST_ARCHITECTURE = 999;

  private Fatbin() {}

  static boolean isFatbin(ByteBuffer b) {
    return b.remaining() >= HEADER && b.slice().order(ByteOrder.LITTLE_ENDIAN).getInt(0) == MAGIC;
  }

  /** The architecture of a cubin. */
  static int architecture(ElfFile elf) {
    int shift = elf.abiVersion() >= ABI_WITH_WIDE_NUMBERS ? 8 : 0;
    return elf.flags() >>> shift & 0xff;
  }

  /** Notes the code of all fat binaries in a section or file. */
  static void scan(ByteBuffer content, String place, Inside inside) {
    ByteBuffer b = content.slice().order(ByteOrder.LITTLE_ENDIAN);
    long at = 0;
    while (at + HEADER <= b.limit()) {
      if (b.getInt((int) at) != MAGIC) {
        if (b.getLong((int) at) != 0) {
          inside.trouble(place, "its fat binary section also contains other data");
          return;
        }
        at += 8;
        continue;
      }
      long size = b.getLong((int) at + 8);
      int header = b.getShort((int) at + 6) & 0xffff;
      long end = at + header + size;
      if (header < HEADER || size < 0 || end < at || end > b.limit()) {
        inside.trouble(place, "a fat binary is truncated");
        return;
      }
      entries(b, at + header, end, place, inside);
      at = end + 7 & ~7L;
    }
  }

  private static void entries(ByteBuffer b, long from, long end, String place, Inside inside) {
    long at = from;
    while (at + SMALLEST_ENTRY <= end) {
      int kind = b.getShort((int) at) & 0xffff;
      long header = b.getInt((int) at + 4) & 0xffffffffL;
      long size = b.getLong((int) at + 8);
      int architecture = b.getInt((int) at + ARCHITECTURE);
      if (header < SMALLEST_ENTRY || size < 0 || size > end - at - header) {
        inside.trouble(place, "a fat binary has a damaged entry");
        return;
      }
      boolean known = architecture > 0 && architecture <= LARGEST_ARCHITECTURE;
      Code code =
          switch (kind) {
            case 1 -> Code.PTX;
            case 2, 4 -> Code.CUBIN;
            default -> Code.OTHER;
          };
      inside.code(place, code, known ? architecture : 0, "");
      at += header + size;
    }
  }
}
