package dev.rocport.io.elf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sections, symbols and needed libraries of a little-endian ELF file; the format is that of the
 * System V ABI.
 */
public final class ElfFile {
  private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F'};

  /** Machine of code for NVIDIA GPUs. */
  public static final int CUDA = 190;

  private static final int SHT_SYMTAB = 2;
  private static final int SHT_DYNAMIC = 6;
  private static final int SHT_NOBITS = 8;
  private static final int SHT_DYNSYM = 11;
  private static final int DT_NEEDED = 1;
  private static final int DT_SONAME = 14;

  /** More sections than any compiler makes, and few enough to be held. */
  private static final int MOST_SECTIONS = 1 << 19;

  /** Bytes of all names that are read of one file; more is taken for damage. */
  private static final int MOST_TEXT = 1 << 28;

  /**
   * Field offsets, by class.
   *
   * @param header bytes of the file header
   * @param table offset of the section table's place
   * @param flags offset of the processor's flags
   * @param count offset of the number of sections, the names' index after it
   * @param section bytes of a section header
   * @param symbol bytes of a symbol
   * @param dynamic bytes of an entry of the dynamic section
   */
  private record Layout(
      boolean wide,
      int header,
      int table,
      int flags,
      int count,
      int section,
      int symbol,
      int dynamic) {
    static final Layout OF_64 = new Layout(true, 64, 40, 48, 60, 64, 24, 16);
    static final Layout OF_32 = new Layout(false, 52, 32, 36, 48, 40, 16, 8);

    /** A word of the class's width. */
    long word(ByteBuffer b, int at) {
      return wide ? b.getLong(at) : b.getInt(at) & 0xffffffffL;
    }
  }

  /** What a symbol denotes. */
  public enum Binding {
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
  public record Symbol(String name, Binding binding, boolean defined, int type) {}

  /**
   * A section.
   *
   * @param content a view of its bytes, none for sections without any
   */
  public record Section(String name, int type, int link, ByteBuffer content) {}

  private final Layout layout;
  private final ByteBuffer bytes;
  private final List<Section> sections;
  private long read;

  private ElfFile(Layout layout, ByteBuffer bytes) throws IOException {
    this.layout = layout;
    this.bytes = bytes;
    this.sections = readSections();
  }

  /** True for a file with the magic number of ELF. */
  public static boolean hasMagic(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    }
  }

  /** True for a little-endian ELF file of either class. */
  public static boolean isElf(ByteBuffer bytes) {
    int at = bytes.position();
    return bytes.remaining() >= Layout.OF_32.header
        && bytes.get(at) == 0x7f
        && bytes.get(at + 1) == 'E'
        && bytes.get(at + 2) == 'L'
        && bytes.get(at + 3) == 'F'
        && (bytes.get(at + 4) == 1 || bytes.get(at + 4) == 2)
        && bytes.get(at + 5) == 1;
  }

  /**
   * A file.
   *
   * @throws IOException if it cannot be read or is no such file
   */
  public static ElfFile read(Path file) throws IOException {
    return of(ByteBuffer.wrap(Files.readAllBytes(file)), file.toString());
  }

  /**
   * A file in memory; what it holds stays a view of these bytes.
   *
   * @throws IOException if it is no such file, or a damaged one
   */
  public static ElfFile of(ByteBuffer bytes, String name) throws IOException {
    if (!isElf(bytes)) {
      throw new IOException(name + ": not a little-endian ELF file");
    }
    ByteBuffer b = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    try {
      return new ElfFile(b.get(4) == 2 ? Layout.OF_64 : Layout.OF_32, b);
    } catch (IndexOutOfBoundsException | IllegalArgumentException | ArithmeticException e) {
      throw new IOException(name + ": damaged ELF file", e);
    }
  }

  private List<Section> readSections() throws IOException {
    ByteBuffer b = bytes;
    long table = layout.word(b, layout.table);
    int count = b.getShort(layout.count) & 0xffff;
    int names = b.getShort(layout.count + 2) & 0xffff;
    if (table == 0) {
      return List.of();
    }
    int first = Math.toIntExact(table);
    if (count == 0) {
      // More sections than 16 bits count: the first entry has the number.
      count = Math.toIntExact(layout.word(b, first + (layout.wide ? 32 : 20)));
    }
    if (names == 0xffff) {
      names = b.getInt(first + (layout.wide ? 40 : 24));
    }
    if (count > MOST_SECTIONS) {
      throw new IOException("damaged ELF file: " + count + " sections");
    }
    List<ByteBuffer> contents = new ArrayList<>();
    long room = 2L * b.limit();
    for (int i = 0; i < count; i++) {
      int at = Math.toIntExact(table + (long) i * layout.section);
      boolean none = b.getInt(at + 4) == SHT_NOBITS || b.getInt(at + 4) == 0;
      int offset = none ? 0 : Math.toIntExact(layout.word(b, at + (layout.wide ? 24 : 16)));
      int size = none ? 0 : Math.toIntExact(layout.word(b, at + (layout.wide ? 32 : 20)));
      room -= size;
      if (room < 0) {
        // Whoever reads each of them would read the same bytes again and again.
        throw new IOException("damaged ELF file: its sections overlap");
      }
      contents.add(b.slice(offset, size).order(ByteOrder.LITTLE_ENDIAN));
    }
    List<Section> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = Math.toIntExact(table + (long) i * layout.section);
      all.add(
          new Section(
              text(contents.get(names), b.getInt(at)),
              b.getInt(at + 4),
              b.getInt(at + (layout.wide ? 40 : 24)),
              contents.get(i)));
    }
    return List.copyOf(all);
  }

  /** The machine that its code is for, by its number. */
  public int machine() {
    return bytes.getShort(18) & 0xffff;
  }

  /** The version of the machine's ABI. */
  public int abiVersion() {
    return bytes.get(8) & 0xff;
  }

  /** The machine's own flags. */
  public int flags() {
    return bytes.getInt(layout.flags);
  }

  /** The libraries that are loaded with it, in order; none for what is not linked dynamically. */
  public List<String> needed() throws IOException {
    return dynamic(DT_NEEDED);
  }

  /** The name that it is linked by; empty if it has none. */
  public String soname() throws IOException {
    return dynamic(DT_SONAME).stream().findFirst().orElse("");
  }

  private List<String> dynamic(int tag) throws IOException {
    List<String> texts = new ArrayList<>();
    try {
      for (Section s : sections) {
        if (s.type() == SHT_DYNAMIC) {
          ByteBuffer names = sections.get(s.link()).content();
          ByteBuffer b = s.content();
          for (int at = 0; at + layout.dynamic <= b.limit(); at += layout.dynamic) {
            if (layout.word(b, at) == 0) {
              break;
            }
            if (layout.word(b, at) == tag) {
              texts.add(text(names, Math.toIntExact(layout.word(b, at + layout.dynamic / 2))));
            }
          }
        }
      }
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      throw new IOException("damaged dynamic section", e);
    }
    return texts;
  }

  public List<Section> sections() {
    return sections;
  }

  /** The named symbols of the symbol table; of the dynamic one where there is no other. */
  public List<Symbol> symbols() throws IOException {
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
      for (int at = 0; at + layout.symbol <= b.limit(); at += layout.symbol) {
        String name = text(names, b.getInt(at));
        int info = b.get(at + (layout.wide ? 4 : 12)) & 0xff;
        if (name.isEmpty()) {
          continue;
        }
        Binding binding =
            switch (info >> 4) {
              case 0 -> Binding.LOCAL;
              case 2 -> Binding.WEAK;
              default -> Binding.STRONG;
            };
        symbols.add(
            new Symbol(name, binding, b.getShort(at + (layout.wide ? 6 : 14)) != 0, info & 15));
      }
    } catch (IndexOutOfBoundsException e) {
      throw new IOException("damaged ELF symbol table", e);
    }
    return symbols;
  }

  private String text(ByteBuffer b, int at) {
    int end = at;
    while (b.get(end) != 0) {
      end++;
    }
    read += end - at;
    if (read > MOST_TEXT) {
      throw new IndexOutOfBoundsException("unterminated name");
    }
    byte[] bytes = new byte[end - at];
    b.get(at, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
