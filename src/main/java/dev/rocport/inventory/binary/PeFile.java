package dev.rocport.inventory.binary;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Programs and libraries of Windows: imports, and sections of fat binaries. */
final class PeFile {
  private static final int PE_OFFSET = 0x3c;
  private static final int PE_MAGIC = 0x4550;
  private static final int OPTIONAL = 24;
  private static final int SECTION = 40;
  private static final int IMPORT = 20;
  private static final int DELAYED_IMPORT = 32;
  private static final int MOST = 4096;
  private static final int LONGEST_NAME = 512;

  private final ByteBuffer b;
  private final String place;
  private final Inside inside;
  private int sections;
  private int count;

  private PeFile(ByteBuffer b, String place, Inside inside) {
    this.b = b;
    this.place = place;
    this.inside = inside;
  }

  /** True for what begins as they do; the rest shows itself. */
  static boolean isPe(ByteBuffer b) {
    return b.remaining() >= 64 && b.get(b.position()) == 'M' && b.get(b.position() + 1) == 'Z';
  }

  static void scan(ByteBuffer bytes, String place, Inside inside) {
    new PeFile(bytes.slice().order(ByteOrder.LITTLE_ENDIAN), place, inside).run();
  }

  private void run() {
    int pe = b.getInt(PE_OFFSET);
    if (pe < 0 || pe > b.limit() - OPTIONAL || b.getInt(pe) != PE_MAGIC) {
      return; // a program of DOS
    }
    count = b.getShort(pe + 6) & 0xffff;
    int optional = b.getShort(pe + 20) & 0xffff;
    sections = pe + OPTIONAL + optional;
    boolean wide = b.getShort(pe + OPTIONAL) == 0x20b;
    int directories = pe + OPTIONAL + (wide ? 112 : 96);
    imports(b.getInt(directories + 8), IMPORT, 12);
    if (optional >= (wide ? 112 : 96) + 14 * 8) {
      imports(b.getInt(directories + 13 * 8), DELAYED_IMPORT, 4);
    }
    long room = 2L * b.limit();
    for (int i = 0; i < count; i++) {
      int at = sections + i * SECTION;
      if (name(at, 8).startsWith(".nv_fatb")) {
        int size = Math.min(b.getInt(at + 8), b.getInt(at + 16));
        room -= size;
        if (room < 0) {
          inside.trouble(place, "damaged: its sections overlap");
          return;
        }
        FatbinScan.scan(b.slice(b.getInt(at + 20), size), place, inside);
      }
    }
  }

  private void imports(int address, int entry, int nameAt) {
    int at = address == 0 ? -1 : offset(address);
    for (int i = 0; at >= 0 && i < MOST; i++, at += entry) {
      int name = b.getInt(at + nameAt);
      if (name == 0) {
        return;
      }
      int text = offset(name);
      if (text >= 0) {
        inside.library(place, name(text, LONGEST_NAME), true);
      }
    }
  }

  /** The position of an address in the file; -1 if none of its sections contains it. */
  private int offset(int address) {
    for (int i = 0; i < count; i++) {
      int at = sections + i * SECTION;
      int start = b.getInt(at + 12);
      int size = Math.max(b.getInt(at + 8), b.getInt(at + 16));
      if (address >= start && address - start < size) {
        return b.getInt(at + 20) + (address - start);
      }
    }
    return -1;
  }

  private String name(int at, int longest) {
    int end = at;
    while (end < at + longest && b.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - at];
    b.get(at, bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
