package dev.rocport.inventory.binary;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Binaries as tests need them, byte by byte. */
public final class BinaryBytes {
  private BinaryBytes() {}

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A fat binary with an entry for each of kind and architecture, with code of 8 bytes. */
  public static byte[] fatbin(int[]... entries) {
    int entry = 64 + 8;
    ByteBuffer b = little(16 + entries.length * entry);
    b.putInt(0xba55ed50).putShort((short) 1).putShort((short) 16);
    b.putLong((long) entries.length * entry);
    for (int[] e : entries) {
      int at = b.position();
      b.putShort((short) e[0]).putShort((short) 0x101).putInt(64).putLong(8);
      b.putInt(at + 28, e[1]);
      b.position(at + entry);
    }
    return b.array();
  }

  /** A cubin: an ELF file without sections. */
  public static byte[] cubin(int abi, int flags) {
    ByteBuffer b = little(64);
    b.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 51, (byte) abi});
    b.putShort(16, (short) 2).putShort(18, (short) 190).putInt(48, flags);
    return b.array();
  }

  /** A shared library for x86-64 with these sections and needed libraries. */
  public static byte[] library(String soname, List<String> needed, Map<String, byte[]> more) {
    ByteArrayOutputStream strings = new ByteArrayOutputStream();
    strings.write(0);
    ByteBuffer dynamic = little((needed.size() + 2) * 16);
    for (String n : needed) {
      dynamic.putLong(1).putLong(add(strings, n));
    }
    dynamic.putLong(14).putLong(add(strings, soname));
    Map<String, byte[]> sections = new LinkedHashMap<>();
    sections.put(".dynstr", strings.toByteArray());
    sections.put(".dynamic", dynamic.array());
    sections.putAll(more);
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    names.write(0);
    List<Integer> nameOffsets = new ArrayList<>();
    sections.keySet().forEach(n -> nameOffsets.add(add(names, n)));
    nameOffsets.add(add(names, ".shstrtab"));
    sections.put(".shstrtab", names.toByteArray());
    int size = 64 + sections.values().stream().mapToInt(s -> s.length + 8).sum();
    int table = size + 7 & ~7;
    int count = sections.size() + 1;
    ByteBuffer b = little(table + count * 64);
    b.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1});
    b.putShort(16, (short) 3).putShort(18, (short) 62).putLong(40, table);
    b.putShort(58, (short) 64).putShort(60, (short) count).putShort(62, (short) (count - 1));
    int at = 64;
    int i = 0;
    for (Map.Entry<String, byte[]> e : sections.entrySet()) {
      b.put(at, e.getValue());
      int header = table + (i + 1) * 64;
      b.putInt(header, nameOffsets.get(i)).putInt(header + 4, type(e.getKey()));
      b.putLong(header + 24, at).putLong(header + 32, e.getValue().length);
      b.putInt(header + 40, 1);
      at += e.getValue().length + 8;
      i++;
    }
    return b.array();
  }

  private static int type(String name) {
    return switch (name) {
      case ".dynstr", ".shstrtab" -> 3;
      case ".dynamic" -> 6;
      default -> 1;
    };
  }

  private static int add(ByteArrayOutputStream out, String text) {
    int at = out.size();
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    out.write(0);
    return at;
  }

  /** A static archive. */
  public static byte[] archive(byte[]... members) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("!<arch>\n".getBytes(StandardCharsets.US_ASCII));
    for (byte[] m : members) {
      String header = "%-16s%-12d%-6d%-6d%-8s%-10d`\n".formatted("m.o/", 0, 0, 0, "644", m.length);
      out.writeBytes(header.getBytes(StandardCharsets.US_ASCII));
      out.writeBytes(m);
      if (m.length % 2 == 1) {
        out.write('\n');
      }
    }
    return out.toByteArray();
  }

  /** A program of Windows that imports these libraries; one section holds all, at 0x1000. */
  public static byte[] windows(List<String> imports, byte[] fatbin) {
    ByteBuffer b = little(0x2000 + fatbin.length);
    b.put(new byte[] {'M', 'Z'}).putInt(0x3c, 0x80).putInt(0x80, 0x4550);
    b.putShort(0x84, (short) 0x8664).putShort(0x86, (short) 2).putShort(0x94, (short) 240);
    b.putShort(0x98, (short) 0x20b).putInt(0x98 + 112 + 8, 0x1000);
    int sections = 0x98 + 240;
    b.put(sections, ".idata".getBytes(StandardCharsets.US_ASCII));
    b.putInt(sections + 8, 0x800).putInt(sections + 12, 0x1000);
    b.putInt(sections + 16, 0x800).putInt(sections + 20, 0x600);
    b.put(sections + 40, ".nv_fatb".getBytes(StandardCharsets.US_ASCII));
    b.putInt(sections + 48, fatbin.length).putInt(sections + 52, 0x4000);
    b.putInt(sections + 56, fatbin.length).putInt(sections + 60, 0x2000);
    int name = 0x400;
    for (int i = 0; i < imports.size(); i++) {
      b.putInt(0x600 + i * 20 + 12, 0x1000 + name);
      b.put(0x600 + name, imports.get(i).getBytes(StandardCharsets.US_ASCII));
      name += imports.get(i).length() + 1;
    }
    b.put(0x2000, fatbin);
    return b.array();
  }
}
