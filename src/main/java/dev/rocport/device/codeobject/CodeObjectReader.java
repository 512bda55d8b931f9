package dev.rocport.device.codeobject;

import dev.rocport.device.codeobject.CodeObject.Range;
import dev.rocport.device.codeobject.CodeObject.Relocation;
import dev.rocport.device.codeobject.CodeObject.Section;
import dev.rocport.device.codeobject.CodeObject.Segment;
import dev.rocport.device.codeobject.CodeObject.Variable;
import dev.rocport.device.isa.GenericTarget;
import dev.rocport.device.isa.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the ELF file of a code object. */
final class CodeObjectReader {
  private static final int MACHINE = 224;
  private static final int RELRO = 0x6474e552;
  private static final long LARGEST = 1L << 31;
  private static final int RELATIVE64 = 13;
  private static final int ABS64 = 3;

  private record Symbol(String name, long address, long size, int type, int section) {}

  private record Header(
      int type, long flags, long address, int offset, long fileSize, long memorySize) {}

  private final byte[] image;
  private final ByteBuffer elf;

  CodeObjectReader(byte[] image) {
    this.image = image;
    this.elf = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
  }

  void checkElf() {
    if (image.length < 64 || elf.getInt(0) != 0x464c457f || image[4] != 2 || image[5] != 1) {
      throw new BadCodeObjectException("not a 64-bit ELF file");
    }
  }

  /**
   * Reads the file.
   *
   * @param on where it is to run; matters for code of several GPUs only
   */
  CodeObject read(Optional<Target> on) {
    checkElf();
    if ((elf.getShort(18) & 0xffff) != MACHINE || image[7] != 64) {
      throw new BadCodeObjectException("this ELF file is not for an AMD GPU");
    }
    int version = image[8];
    if (version < 2 || version > 4) {
      throw new BadCodeObjectException("unknown code object ABI version " + version);
    }
    int flags = elf.getInt(48);
    Target target = target(flags & 0xff, on);
    List<Header> headers = headers();
    List<Segment> segments = segments(headers);
    long size = segments.stream().mapToLong(s -> s.address() + s.memorySize()).max().orElse(0);
    Range text =
        headers.stream()
            .filter(h -> h.type() == 1 && (h.flags() & 1) != 0)
            .map(h -> new Range(h.address(), h.memorySize()))
            .findFirst()
            .orElse(new Range(0, 0));
    List<Symbol> symbols = symbols();
    List<Map<?, ?>> metadata = metadata(headers);
    List<KernelInfo> kernels = kernels(metadata, symbols, segments, text);
    requireOneWidth(target, kernels);
    List<Variable> variables =
        symbols.stream()
            .filter(s -> s.type() == 1 && s.section() != 0 && !s.name().endsWith(".kd"))
            .map(s -> new Variable(s.name(), checked(s.address(), s.size(), size), s.size()))
            .toList();
    return new CodeObject(
        target,
        target.arch() + features(flags),
        image,
        segments,
        text,
        size,
        relocations(headers, symbols, segments, size),
        kernels,
        variables,
        sections(),
        PrintFormats.of(metadata));
  }

  /** Kernels that are linked together may share functions, which are for waves of one width. */
  private static void requireOneWidth(Target target, List<KernelInfo> kernels) {
    if (target.lanes() == 64) {
      return;
    }
    Optional<KernelInfo> narrow =
        kernels.stream().filter(k -> k.descriptor().isWave32()).findFirst();
    Optional<KernelInfo> wide =
        kernels.stream().filter(k -> !k.descriptor().isWave32()).findFirst();
    if (narrow.isPresent() && wide.isPresent()) {
      throw new BadCodeObjectException(
          ("kernel %s was compiled for waves of 64 lanes and kernel %s of the same code object for"
                  + " waves of 32: compile all files that are linked for the GPU with"
                  + " -mwavefrontsize64, or none")
              .formatted(wide.get().name(), narrow.get().name()));
    }
  }

  private static Target target(int machine, Optional<Target> on) {
    Optional<GenericTarget> generic = GenericTarget.of(machine);
    if (generic.isPresent()) {
      List<Target> members = generic.get().members();
      return on.filter(members::contains).orElse(members.getFirst());
    }
    for (Target t : Target.values()) {
      if (t.machine() == machine) {
        return t;
      }
    }
    throw new BadCodeObjectException(
        "code object for another GPU (machine 0x%x); this device is %s"
            .formatted(machine, Target.names(" or ")));
  }

  private static String features(int flags) {
    String ecc =
        switch (flags >>> 10 & 3) {
          case 2 -> ":sramecc-";
          case 3 -> ":sramecc+";
          default -> "";
        };
    return switch (flags >>> 8 & 3) {
      case 2 -> ecc + ":xnack-";
      case 3 -> ecc + ":xnack+";
      default -> ecc;
    };
  }

  private static long checked(long address, long size, long limit) {
    if (address < 0 || size < 0 || address > limit - size) {
      throw new BadCodeObjectException("a symbol lies outside the code object");
    }
    return address;
  }

  private List<Header> headers() {
    int at = Math.toIntExact(elf.getLong(32));
    int step = elf.getShort(54) & 0xffff;
    int count = elf.getShort(56) & 0xffff;
    List<Header> headers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int h = at + i * step;
      headers.add(
          new Header(
              elf.getInt(h),
              elf.getInt(h + 4),
              elf.getLong(h + 16),
              Math.toIntExact(elf.getLong(h + 8)),
              elf.getLong(h + 32),
              elf.getLong(h + 40)));
    }
    return headers;
  }

  private List<Segment> segments(List<Header> headers) {
    List<Range> relocatedOnly =
        headers.stream()
            .filter(h -> h.type() == RELRO)
            .map(h -> new Range(h.address(), h.memorySize()))
            .toList();
    List<Segment> segments = new ArrayList<>();
    for (Header h : headers) {
      if (h.type() != 1) {
        continue;
      }
      if (h.address() < 0
          || h.memorySize() < h.fileSize()
          || h.fileSize() < 0
          || h.address() > LARGEST
          || h.memorySize() > LARGEST
          || h.offset() < 0
          || h.offset() > image.length - h.fileSize()) {
        throw new BadCodeObjectException("a segment lies outside the code object");
      }
      boolean writable =
          (h.flags() & 2) != 0 && relocatedOnly.stream().noneMatch(r -> r.contains(h.address()));
      segments.add(
          new Segment(h.address(), h.offset(), (int) h.fileSize(), h.memorySize(), writable));
    }
    return segments;
  }

  List<Section> sections() {
    int at = Math.toIntExact(elf.getLong(40));
    int step = elf.getShort(58) & 0xffff;
    int count = elf.getShort(60) & 0xffff;
    List<Section> sections = new ArrayList<>();
    if (at == 0 || count == 0) {
      return sections;
    }
    if (at < 0 || at + (long) count * step > image.length) {
      throw new BadCodeObjectException("the code object is truncated");
    }
    int names = Math.toIntExact(elf.getLong(at + (elf.getShort(62) & 0xffff) * step + 24));
    for (int i = 0; i < count; i++) {
      int s = at + i * step;
      // A section with bytes in the file, and no address: not loaded.
      if (elf.getInt(s + 4) == 1 && elf.getLong(s + 16) == 0) {
        int offset = Math.toIntExact(elf.getLong(s + 24));
        int size = Math.toIntExact(elf.getLong(s + 32));
        if (offset < 0 || size < 0 || offset > image.length - size) {
          throw new BadCodeObjectException("a section lies outside the code object");
        }
        sections.add(new Section(string(names + elf.getInt(s)), offset, size));
      }
    }
    return sections;
  }

  private List<Symbol> symbols() {
    int at = Math.toIntExact(elf.getLong(40));
    int step = elf.getShort(58) & 0xffff;
    int count = elf.getShort(60) & 0xffff;
    for (int i = 0; at != 0 && i < count; i++) {
      int s = at + i * step;
      if (elf.getInt(s + 4) == 11) {
        int link = at + elf.getInt(s + 40) * step;
        return symbols(
            Math.toIntExact(elf.getLong(s + 24)),
            elf.getLong(s + 32) / 24,
            Math.toIntExact(elf.getLong(link + 24)));
      }
    }
    throw new BadCodeObjectException("the code object has no symbols");
  }

  private List<Symbol> symbols(int at, long count, int names) {
    if (count < 0 || count > image.length / 24) {
      throw new BadCodeObjectException("the symbol table is larger than the code object");
    }
    List<Symbol> symbols = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int s = at + i * 24;
      symbols.add(
          new Symbol(
              string(names + elf.getInt(s)),
              elf.getLong(s + 8),
              elf.getLong(s + 16),
              elf.get(s + 4) & 15,
              elf.getShort(s + 6) & 0xffff));
    }
    return symbols;
  }

  private String string(int at) {
    int end = at;
    while (elf.get(end) != 0) {
      end++;
    }
    return new String(image, at, end - at, StandardCharsets.UTF_8);
  }

  private List<Relocation> relocations(
      List<Header> headers, List<Symbol> symbols, List<Segment> segments, long loadedSize) {
    long table = 0;
    long size = 0;
    for (Header h : headers) {
      if (h.type() == 2) {
        for (int at = h.offset(); elf.getLong(at) != 0; at += 16) {
          switch ((int) elf.getLong(at)) {
            case 7 -> table = elf.getLong(at + 8);
            case 8 -> size = elf.getLong(at + 8);
            default -> {}
          }
        }
      }
    }
    List<Relocation> relocations = new ArrayList<>();
    if (size == 0) {
      return relocations;
    }
    int start = fileOffset(segments, table);
    for (int at = start; at < start + size; at += 24) {
      long where = checked(elf.getLong(at), 8, loadedSize);
      long info = elf.getLong(at + 8);
      long addend = elf.getLong(at + 16);
      long to =
          switch ((int) info) {
            case RELATIVE64 -> addend;
            case ABS64 -> symbols.get((int) (info >>> 32)).address() + addend;
            default -> throw new BadCodeObjectException("unknown relocation " + (int) info);
          };
      relocations.add(new Relocation(where, to));
    }
    return relocations;
  }

  private static int fileOffset(List<Segment> segments, long address) {
    for (Segment s : segments) {
      if (address >= s.address() && address < s.address() + s.fileSize()) {
        return Math.toIntExact(address - s.address() + s.offset());
      }
    }
    throw new BadCodeObjectException("an address lies outside the code object");
  }

  private List<KernelInfo> kernels(
      List<Map<?, ?>> metadata, List<Symbol> symbols, List<Segment> segments, Range text) {
    Map<String, Symbol> byName = new LinkedHashMap<>();
    symbols.forEach(s -> byName.put(s.name(), s));
    List<KernelInfo> kernels = new ArrayList<>();
    List<Map<?, ?>> described = new ArrayList<>();
    for (Map<?, ?> note : metadata) {
      if (note.get("amdhsa.kernels") instanceof List<?> list) {
        list.forEach(k -> described.add((Map<?, ?>) k));
      }
    }
    for (Map<?, ?> kernel : described) {
      if (!(kernel.get(".name") instanceof String name)
          || !(kernel.get(".symbol") instanceof String symbolName)) {
        throw new BadCodeObjectException("a kernel of the code object has no name");
      }
      Symbol symbol = byName.get(symbolName);
      if (symbol == null) {
        throw new BadCodeObjectException("kernel " + name + " has no descriptor");
      }
      KernelDescriptor descriptor =
          KernelDescriptor.read(elf, fileOffset(segments, symbol.address()));
      if (!text.contains(symbol.address() + descriptor.entryOffset())) {
        throw new BadCodeObjectException("kernel " + name + " does not start inside the code");
      }
      // Assembled kernels, such as those of rocBLAS, may state less in the descriptor.
      int argumentBytes =
          Math.max(descriptor.kernargSize(), number(kernel, ".kernarg_segment_size", 0));
      kernels.add(
          new KernelInfo(
              name,
              symbol.address(),
              descriptor,
              argumentBytes,
              arguments(kernel, argumentBytes),
              number(kernel, ".max_flat_workgroup_size", 1024),
              number(kernel, ".sgpr_count", 0)));
    }
    return kernels;
  }

  private static List<Argument> arguments(Map<?, ?> kernel, int bytes) {
    List<Argument> arguments = new ArrayList<>();
    if (kernel.get(".args") instanceof List<?> list) {
      for (Object element : list) {
        Map<?, ?> a = (Map<?, ?>) element;
        Argument argument =
            new Argument(
                number(a, ".offset", -1),
                number(a, ".size", -1),
                String.valueOf(a.get(".value_kind")));
        if (argument.offset() < 0
            || argument.size() < 0
            || argument.offset() > bytes - argument.size()) {
          throw new BadCodeObjectException(
              "an argument lies outside the kernel's argument segment");
        }
        arguments.add(argument);
      }
    }
    return arguments;
  }

  private static int number(Map<?, ?> map, String key, int otherwise) {
    return map.get(key) instanceof Long n ? Math.toIntExact(n) : otherwise;
  }

  /** The metadata of all notes: assembled code may have a note for each kernel. */
  private List<Map<?, ?>> metadata(List<Header> headers) {
    List<Map<?, ?>> notes = new ArrayList<>();
    for (Header h : headers) {
      if (h.type() == 4) {
        int at = h.offset();
        int end = Math.toIntExact(h.offset() + h.fileSize());
        while (at < end) {
          int nameSize = elf.getInt(at);
          int size = elf.getInt(at + 4);
          int data = at + 12 + (nameSize + 3 & ~3);
          if (elf.getInt(at + 8) == 32) {
            notes.add((Map<?, ?>) MessagePack.read(elf.slice(data, size)));
          }
          int next = data + (size + 3 & ~3);
          if (next <= at) {
            throw new BadCodeObjectException("the notes of the code object are malformed");
          }
          at = next;
        }
      }
    }
    if (notes.isEmpty()) {
      throw new BadCodeObjectException("the code object has no metadata");
    }
    return notes;
  }
}
