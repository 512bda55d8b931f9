package dev.rocport.doctor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The libraries that a 64-bit little-endian ELF file is linked with: the DT_NEEDED entries of its
 * dynamic segment, by the layout of the System V ABI. Nothing is loaded; a few kilobytes are read.
 */
final class ElfNeeds {
  private static final int HEADER = 64;
  private static final int PROGRAM_HEADER = 56;
  private static final int MOST_HEADERS = 256;
  private static final int MOST_DYNAMIC = 1 << 16;
  private static final int LONGEST_NAME = 256;

  private static final int PT_LOAD = 1;
  private static final int PT_DYNAMIC = 2;
  private static final long DT_NEEDED = 1;
  private static final long DT_STRTAB = 5;

  private record Segment(int type, long offset, long address, long size) {}

  private ElfNeeds() {}

  /** The names, in order; none if it is not such a file or cannot be read. */
  static List<String> of(Path file) {
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    try (SeekableByteChannel in = Files.newByteChannel(file)) {
      return of(in);
    } catch (IOException | IndexOutOfBoundsException e) {
      return List.of();
    }
  }

  private static List<String> of(SeekableByteChannel in) throws IOException {
    ByteBuffer header = read(in, 0, HEADER);
    boolean elf64 =
        header.remaining() == HEADER
            && header.order(ByteOrder.BIG_ENDIAN).getInt(0) == 0x7f454c46
            && header.get(4) == 2
            && header.get(5) == 1;
    header.order(ByteOrder.LITTLE_ENDIAN);
    if (!elf64 || header.getShort(54) != PROGRAM_HEADER) {
      return List.of();
    }
    int count = Math.min(MOST_HEADERS, Short.toUnsignedInt(header.getShort(56)));
    ByteBuffer table = read(in, header.getLong(32), count * PROGRAM_HEADER);
    List<Segment> segments = new ArrayList<>();
    for (int at = 0; at + PROGRAM_HEADER <= table.remaining(); at += PROGRAM_HEADER) {
      segments.add(
          new Segment(
              table.getInt(at),
              table.getLong(at + 8),
              table.getLong(at + 16),
              table.getLong(at + 32)));
    }
    for (Segment s : segments) {
      if (s.type() == PT_DYNAMIC) {
        int size = (int) Math.max(0, Math.min(MOST_DYNAMIC, s.size()));
        return names(in, read(in, s.offset(), size), segments);
      }
    }
    return List.of();
  }

  private static List<String> names(
      SeekableByteChannel in, ByteBuffer dynamic, List<Segment> segments) throws IOException {
    List<Long> needed = new ArrayList<>();
    long strings = -1;
    for (int at = 0; at + 16 <= dynamic.remaining(); at += 16) {
      long tag = dynamic.getLong(at);
      long value = dynamic.getLong(at + 8);
      if (tag == 0) {
        break;
      } else if (tag == DT_NEEDED) {
        needed.add(value);
      } else if (tag == DT_STRTAB) {
        strings = offset(value, segments);
      }
    }
    List<String> names = new ArrayList<>();
    for (long at : strings < 0 ? List.<Long>of() : needed) {
      String text =
          StandardCharsets.US_ASCII.decode(read(in, strings + at, LONGEST_NAME)).toString();
      int end = text.indexOf('\0');
      names.add(end < 0 ? text : text.substring(0, end));
    }
    return names;
  }

  /** The position of an address in the file; -1 if there is none. */
  private static long offset(long address, List<Segment> segments) {
    for (Segment s : segments) {
      if (s.type() == PT_LOAD && address >= s.address() && address - s.address() < s.size()) {
        return address - s.address() + s.offset();
      }
    }
    return -1;
  }

  /** At most so many bytes from there; fewer at the file's end. */
  private static ByteBuffer read(SeekableByteChannel in, long from, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    if (from >= 0 && from < in.size()) {
      in.position(from);
      while (bytes.hasRemaining() && in.read(bytes) >= 0) {
        // Until it is full, or the file ends.
      }
    }
    return bytes.flip().slice().order(ByteOrder.LITTLE_ENDIAN);
  }
}
