package dev.rocport.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The sections and symbols of a 64-bit little-endian ELF file; the format is that of the System V
 * ABI.
 */
final class ElfFile {
  private static final int SHT_SYMTAB = 2;
  private static final int SHT_DYNSYM = 11;
  private static final int SHT_NOBITS = 8;
  private static final int HEADER = 64;
  private static final int SECTION = 64;
  private static final int SYMBOL = 24;

  /** What a symbol stands for. */
  enum Binding {
    LOCAL,
    STRONG,
    WEAK
  }

  /**
   * A symbol.
   *
   * @param defined whether this file defines it
   * @param type the ELF type: 1 object, 2 function
   */
  record Symbol(String name, Binding binding, boolean defined, int type) {}

  /**
   * A section.
   *
   * @param content a view of its bytes, none for sections without any
   */
  record Section(String name, int type, int link, ByteBuffer content) {}

  private final List<Section> sections;

  private ElfFile(List<Section> sections) {
    this.sections = sections;
  }

  static boolean isElf(ByteBuffer bytes) {
    return bytes.remaining() >= HEADER
        && bytes.get(bytes.position()) == 0x7f
        && bytes.get(bytes.position() + 1) == 'E'
        && bytes.get(bytes.position() + 2) == 'L'
        && bytes.get(bytes.position() + 3) == 'F'
        && bytes.get(bytes.position() + 4) == 2
        && bytes.get(bytes.position() + 5) == 1;
  }

  /**
   * @throws IOException if it cannot be read or is no such file
   */
  static ElfFile read(Path file) throws IOException {
    return of(ByteBuffer.wrap(Files.readAllBytes(file)), file.toString());
  }

  static ElfFile of(ByteBuffer bytes, String name) throws IOException {
    if (!isElf(bytes)) {
      throw new IOException(name + ": not a 64-bit little-endian ELF file");
    }
    try {
      return new ElfFile(sections(bytes.slice().order(ByteOrder.LITTLE_ENDIAN)));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new IOException(name + ": damaged ELF file", e);
    }
  }

  private static List<Section> sections(ByteBuffer b) {
    long table = b.getLong(40);
    int count = b.getShort(60) & 0xffff;
    int names = b.getShort(62) & 0xffff;
    if (count == 0 && table != 0) {
      // More sections than 16 bits count: the first entry has the number.
      count = Math.toIntExact(b.getLong((int) table + 32));
    }
    if (names == 0xffff) {
      names = b.getInt((int) table + 40);
    }
    List<ByteBuffer> contents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = Math.toIntExact(table + (long) i * SECTION);
      boolean none = b.getInt(at + 4) == SHT_NOBITS || b.getInt(at + 4) == 0;
      int offset = none ? 0 : Math.toIntExact(b.getLong(at + 24));
      int size = none ? 0 : Math.toIntExact(b.getLong(at + 32));
      contents.add(b.slice(offset, size).order(ByteOrder.LITTLE_ENDIAN));
    }
    List<Section> sections = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = Math.toIntExact(table + (long) i * SECTION);
      sections.add(
          new Section(
              text(contents.get(names), b.getInt(at)),
              b.getInt(at + 4),
              b.getInt(at + 40),
              contents.get(i)));
    }
    return sections;
  }

  List<Section> sections() {
    return sections;
  }

  /** The named symbols of the symbol table; of the dynamic one where there is no other. */
  List<Symbol> symbols() throws IOException {
    for (int type : new int[] {SHT_SYMTAB, SHT_DYNSYM}) {
      for (Section s : sections) {
        if (s.type() == type) {
          return symbols(s);
        }
      }
    }
    return List.of();
  }

  private List<Symbol> symbols(Section table) throws IOException {
    List<Symbol> symbols = new ArrayList<>();
    try {
      ByteBuffer names = sections.get(table.link()).content();
      ByteBuffer b = table.content();
      for (int at = 0; at + SYMBOL <= b.limit(); at += SYMBOL) {
        String name = text(names, b.getInt(at));
        int info = b.get(at + 4) & 0xff;
        if (name.isEmpty()) {
          continue;
        }
        Binding binding =
            switch (info >> 4) {
              case 0 -> Binding.LOCAL;
              case 2 -> Binding.WEAK;
              default -> Binding.STRONG;
            };
        symbols.add(new Symbol(name, binding, b.getShort(at + 6) != 0, info & 15));
      }
    } catch (IndexOutOfBoundsException e) {
      throw new IOException("damaged ELF symbol table", e);
    }
    return symbols;
  }

  private static String text(ByteBuffer b, int at) {
    int end = at;
    while (b.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - at];
    b.get(at, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
