package dev.rocport.device.codeobject;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Source lines of addresses, from a code object's {@code .debug_line} of DWARF 4 or 5. Source: the
 * DWARF 5 standard, section 6.2.
 */
public final class SourceLines {
  /** A line of a source file. */
  public record Place(String file, int line) {
    @Override
    public String toString() {
      return file + ":" + line;
    }
  }

  private static final Place NOWHERE = new Place("", 0);

  /** Forms of DWARF that a line table's file names come in. */
  private static final int FORM_STRING = 0x08;

  private static final int FORM_LINE_STRP = 0x1f;
  private static final int FORM_STRP = 0x0e;
  private static final int FORM_UDATA = 0x0f;
  private static final int FORM_DATA16 = 0x1e;
  private static final int FORM_BLOCK = 0x09;
  private static final int FORM_DATA1 = 0x0b;
  private static final int FORM_DATA2 = 0x05;
  private static final int CONTENT_PATH = 1;
  private static final int CONTENT_FOLDER = 2;

  private final NavigableMap<Long, Place> places = new TreeMap<>();

  private SourceLines() {}

  /** The lines of a code object; none where it has no debug information, or a broken one. */
  public static SourceLines of(CodeObject object) {
    SourceLines lines = new SourceLines();
    Optional<ByteBuffer> table = section(object, ".debug_line");
    if (table.isPresent()) {
      try {
        ByteBuffer in = table.get();
        while (in.remaining() > 4) {
          int length = in.getInt();
          ByteBuffer unit = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
          in.position(in.position() + length);
          new Unit(object, unit, lines.places).read();
        }
      } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
        // What was read so far serves; the rest has no lines.
      }
    }
    return lines;
  }

  /** The line that an address, before loading, belongs to. */
  public Optional<Place> at(long address) {
    Map.Entry<Long, Place> entry = places.floorEntry(address);
    return entry == null || entry.getValue().line() == 0
        ? Optional.empty()
        : Optional.of(entry.getValue());
  }

  private static Optional<ByteBuffer> section(CodeObject object, String name) {
    return object.sections().stream()
        .filter(s -> s.name().equals(name))
        .findFirst()
        .map(
            s ->
                ByteBuffer.wrap(object.image(), s.offset(), s.size())
                    .slice()
                    .order(ByteOrder.LITTLE_ENDIAN));
  }

  private static long unsigned(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = in.get();
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value;
      }
    }
  }

  private static long signed(ByteBuffer in) {
    long value = 0;
    int shift = 0;
    byte b;
    do {
      b = in.get();
      value |= (b & 0x7fL) << shift;
      shift += 7;
    } while (b < 0);
    return shift < 64 && (b & 0x40) != 0 ? value | -1L << shift : value;
  }

  private static String string(ByteBuffer in) {
    int start = in.position();
    int end = start;
    while (in.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - start];
    in.get(bytes);
    in.get();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The line program of one translation unit. */
  private static final class Unit {
    private final CodeObject object;
    private final ByteBuffer in;
    private final NavigableMap<Long, Place> places;
    private final List<String> folders = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private int version;

    Unit(CodeObject object, ByteBuffer in, NavigableMap<Long, Place> places) {
      this.object = object;
      this.in = in;
      this.places = places;
    }

    void read() {
      version = in.getShort();
      if (version < 4 || version > 5) {
        return;
      }
      if (version == 5) {
        in.getShort();
      }
      int headerLength = in.getInt();
      int program = in.position() + headerLength;
      int step = in.get();
      in.get();
      in.get();
      int lineBase = in.get();
      int lineRange = in.get() & 0xff;
      int opcodeBase = in.get() & 0xff;
      int[] lengths = new int[opcodeBase];
      for (int i = 1; i < opcodeBase; i++) {
        lengths[i] = in.get();
      }
      if (version == 5) {
        folders.addAll(entries());
        files.addAll(entries());
      } else {
        oldNames();
      }
      in.position(program);
      run(step, lineBase, lineRange, opcodeBase, lengths);
    }

    private void oldNames() {
      folders.add("");
      for (String s = string(in); !s.isEmpty(); s = string(in)) {
        folders.add(s);
      }
      files.add("");
      for (String s = string(in); !s.isEmpty(); s = string(in)) {
        int folder = (int) unsigned(in);
        unsigned(in);
        unsigned(in);
        files.add(path(folder, s));
      }
    }

    private String path(int folder, String name) {
      String in = folder >= 0 && folder < folders.size() ? folders.get(folder) : "";
      return name.startsWith("/") || in.isEmpty() ? name : in + "/" + name;
    }

    private List<String> entries() {
      int formats = in.get() & 0xff;
      long[] kinds = new long[formats];
      long[] forms = new long[formats];
      for (int i = 0; i < formats; i++) {
        kinds[i] = unsigned(in);
        forms[i] = unsigned(in);
      }
      long count = unsigned(in);
      List<String> names = new ArrayList<>();
      for (long n = 0; n < count; n++) {
        String name = "";
        int folder = -1;
        for (int i = 0; i < formats; i++) {
          if (kinds[i] == CONTENT_PATH) {
            name = text((int) forms[i]);
          } else if (kinds[i] == CONTENT_FOLDER) {
            folder = (int) number((int) forms[i]);
          } else {
            skip((int) forms[i]);
          }
        }
        names.add(path(folder, name));
      }
      return names;
    }

    private String text(int form) {
      return switch (form) {
        case FORM_STRING -> string(in);
        case FORM_LINE_STRP -> stringAt(".debug_line_str", in.getInt());
        case FORM_STRP -> stringAt(".debug_str", in.getInt());
        default -> throw new IllegalArgumentException("form " + form);
      };
    }

    private String stringAt(String section, int offset) {
      return section(object, section).map(s -> string(s.position(offset))).orElse("");
    }

    private long number(int form) {
      return switch (form) {
        case FORM_UDATA -> unsigned(in);
        case FORM_DATA1 -> in.get() & 0xff;
        case FORM_DATA2 -> in.getShort() & 0xffff;
        default -> throw new IllegalArgumentException("form " + form);
      };
    }

    private void skip(int form) {
      switch (form) {
        case FORM_DATA16 -> in.position(in.position() + 16);
        case FORM_BLOCK -> in.position(in.position() + (int) unsigned(in));
        case FORM_STRING, FORM_LINE_STRP, FORM_STRP -> text(form);
        default -> number(form);
      }
    }

    private void run(int step, int lineBase, int lineRange, int opcodeBase, int[] lengths) {
      long address = 0;
      int file = 1;
      int line = 1;
      while (in.hasRemaining()) {
        int opcode = in.get() & 0xff;
        if (opcode >= opcodeBase) {
          int adjusted = opcode - opcodeBase;
          address += (long) adjusted / lineRange * step;
          line += lineBase + adjusted % lineRange;
          add(address, file, line);
          continue;
        }
        switch (opcode) {
          case 0 -> {
            int length = (int) unsigned(in);
            int end = in.position() + length;
            switch (in.get()) {
              case 1 -> {
                places.putIfAbsent(address, NOWHERE);
                address = 0;
                file = 1;
                line = 1;
              }
              case 2 -> address = in.getLong();
              default -> {}
            }
            in.position(end);
          }
          case 1 -> add(address, file, line);
          case 2 -> address += unsigned(in) * step;
          case 3 -> line += (int) signed(in);
          case 4 -> file = (int) unsigned(in);
          case 5 -> unsigned(in);
          case 8 -> address += (255L - opcodeBase) / lineRange * step;
          case 9 -> address += in.getShort() & 0xffff;
          default -> {
            for (int i = 0; i < lengths[opcode]; i++) {
              unsigned(in);
            }
          }
        }
      }
    }

    private void add(long address, int file, int line) {
      String name = file >= 0 && file < files.size() ? files.get(file) : "";
      places.put(address, new Place(name, line));
    }
  }
}
