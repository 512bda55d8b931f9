package dev.rocport.lang.ptx.find;

import dev.rocport.io.elf.ElfFile;
import dev.rocport.io.gpucode.NvFatbin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * NVIDIA machine code in a file: ELF files for machine 190 (EM_CUDA), and fat binaries, which
 * contain such files and PTX for several GPUs; also inside objects, libraries, and archives.
 *
 * @param what {@code cubin}, {@code fat binary}
 * @param offset where in the file
 * @param parts what is in it
 */
record Binary(String what, long offset, List<Part> parts) {
  private static final String CODE = "machine code";

  private static final int ELF = 0x464c457f;

  /** The size of a read window in bytes, and its overlap with the next one. */
  private static final int CHUNK = 1 << 20;

  private static final int HEAD = 64;
  private static final int MOST_PARTS = 64;

  /**
   * One part of it.
   *
   * @param kind {@code machine code} or {@code PTX}
   * @param sm number of the GPU's kind, as 90 in {@code sm_90}
   */
  record Part(String kind, int sm) {}

  /** True if a file with these first bytes is checked: an ELF file, an archive, a fat binary. */
  static boolean isLookedAt(byte[] head) {
    if (head.length < 8) {
      return false;
    }
    int magic = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt();
    boolean archive = magic == 0x72613c21; // !<ar
    boolean portable = head[0] == 'M' && head[1] == 'Z';
    return magic == ELF || magic == NvFatbin.MAGIC || archive || portable;
  }

  /**
   * Finds them.
   *
   * @throws IOException if the file cannot be read
   */
  static List<Binary> in(Path file) throws IOException {
    List<Binary> found = new ArrayList<>();
    byte[] b = new byte[CHUNK + HEAD];
    long base = 0;
    int have = 0;
    Fat fat = null;
    try (InputStream in = Files.newInputStream(file)) {
      while (true) {
        int n = in.readNBytes(b, have, b.length - have);
        have += n;
        boolean last = n == 0 || have < b.length;
        ByteBuffer view = ByteBuffer.wrap(b, 0, have).order(ByteOrder.LITTLE_ENDIAN);
        int limit = last ? have : have - HEAD;
        int i = 0;
        while (i < limit) {
          if (fat != null && base + i < fat.end) {
            // Its parts follow each other, each with a header that contains its length.
            if (base + i < fat.next) {
              i = (int) Math.min(limit, fat.next - base);
              continue;
            }
            if (have - i < HEAD || !fat.part(view, i)) {
              fat = null;
            }
            continue;
          }
          fat = null;
          int magic = have - i >= 4 ? magicAt(b, i) : 0;
          boolean whole = have - i >= NvFatbin.HEADER;
          if (magic == NvFatbin.MAGIC && whole && view.getShort(i + 4) == 1) {
            NvFatbin head = NvFatbin.at(view, i);
            int header = head.header();
            if (header >= NvFatbin.HEADER && header < 256 && head.size() > 0) {
              List<Part> parts = new ArrayList<>();
              found.add(new Binary("fat binary", base + i, parts));
              fat = new Fat(base, base + i + header, base + i + header + head.size(), parts);
              i += header;
              continue;
            }
          } else if (magic == ELF && have - i >= 52 && isCuda(view, i)) {
            found.add(new Binary("cubin", base + i, List.of(new Part(CODE, target(view, i)))));
          }
          i = next(b, i + 1, limit);
        }
        if (last) {
          return found;
        }
        System.arraycopy(b, limit, b, 0, have - limit);
        base += limit;
        have -= limit;
        if (fat != null) {
          fat.base = base;
        }
      }
    }
  }

  private static int magicAt(byte[] b, int i) {
    return (b[i] & 0xff)
        | (b[i + 1] & 0xff) << 8
        | (b[i + 2] & 0xff) << 16
        | (b[i + 3] & 0xff) << 24;
  }

  /** The next byte that begins one of the two magic numbers. */
  private static int next(byte[] b, int from, int limit) {
    int i = from;
    while (i < limit && b[i] != 0x7f && b[i] != 0x50) {
      i++;
    }
    return i;
  }

  private static boolean isCuda(ByteBuffer view, int i) {
    return view.get(i + 5) == 1 && (view.getShort(i + 18) & 0xffff) == ElfFile.CUDA;
  }

  /** The GPU of a cubin. */
  private static int target(ByteBuffer view, int i) {
    boolean wide = view.get(i + 4) == 2;
    int flags = view.getInt(i + (wide ? 48 : 36));
    return NvFatbin.architecture(view.get(i + 8) & 0xff, flags);
  }

  /** A fat binary that is being gone through. */
  private static final class Fat {
    private long base;
    private long next;
    private final long end;
    private final List<Part> parts;
    private final Set<Part> seen = new HashSet<>();

    Fat(long base, long next, long end, List<Part> parts) {
      this.base = base;
      this.next = next;
      this.end = end;
      this.parts = parts;
    }

    /** Reads the head of a part; false if it makes no sense. */
    boolean part(ByteBuffer view, int i) {
      NvFatbin.Entry e = NvFatbin.entry(view, i);
      if (e.kind() == 0 || e.header() > 4096 || !e.fits(end - base - i)) {
        return false;
      }
      String name =
          switch (e.kind()) {
            case NvFatbin.PTX -> "PTX";
            case NvFatbin.CUBIN -> CODE;
            default -> "parts of kind " + e.kind();
          };
      Part part = new Part(name, e.architecture());
      if (seen.add(part) && seen.size() <= MOST_PARTS) {
        parts.add(part);
      }
      next = base + i + e.header() + e.size();
      return true;
    }
  }

  /** Several in one file as one sentence. */
  static String says(List<Binary> all) {
    Map<String, Integer> kinds = new LinkedHashMap<>();
    SortedMap<String, SortedSet<Integer>> parts = new TreeMap<>();
    for (Binary x : all) {
      kinds.merge(x.what(), 1, Integer::sum);
      x.parts().forEach(p -> parts.computeIfAbsent(p.kind(), k -> new TreeSet<>()).add(p.sm()));
    }
    String what =
        kinds.entrySet().stream()
            .map(e -> e.getValue() == 1 ? "a " + e.getKey() : e.getValue() + " " + plural(e))
            .collect(Collectors.joining(" and "));
    return what
        + parts.entrySet().stream().map(Binary::says).collect(Collectors.joining("; ", ": ", ""));
  }

  private static String plural(Map.Entry<String, Integer> e) {
    return e.getKey().equals("cubin") ? "cubins" : "fat binaries";
  }

  private static String says(Map.Entry<String, SortedSet<Integer>> parts) {
    return parts.getValue().stream()
        .map(sm -> "sm_" + sm)
        .collect(Collectors.joining(", ", parts.getKey() + " for ", ""));
  }
}
