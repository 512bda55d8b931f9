package dev.rocport.device.codeobject;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Source lines of addresses, from a code object's {@code .debug_line} of DWARF 4 or 5, and the
 * functions around them. Source: the DWARF 5 standard, section 6.2.
 */
public final class SourceLines {
  /** A line of a source file. */
  public record Place(String file, int line) {
    /** Folders of headers that are not the program's own. */
    private static final List<String> FOREIGN =
        List.of(
            "/include/hip/",
            "/lib/clang/",
            "/include/c++/",
            "/include/hipcub/",
            "/include/hiprand/",
            "/include/rocprim/",
            "/include/rocrand/",
            "/include/thrust/");

    /** The headers that come with ported trees. */
    private static final Pattern SUPPORT = Pattern.compile("(^|/)rocport/[a-z_]+\\.h$");

    /** Whether it is a line of the program's own, not of a library's headers. */
    public boolean isOwn() {
      return !file.isEmpty()
          && FOREIGN.stream().noneMatch(file::contains)
          && !SUPPORT.matcher(file).find();
    }

    @Override
    public String toString() {
      return file + ":" + line;
    }
  }

  /**
   * A place in a function.
   *
   * @param function its name; empty where it is not known
   */
  public record Frame(Place place, String function) {
    @Override
    public String toString() {
      return function.isEmpty() ? place.toString() : place + " in " + function;
    }
  }

  /** The placeholder for the root of the tree in the output of {@code rocport build}. */
  private static final String TREE = "/rocport.tree/";

  private static final Place NOWHERE = new Place("", 0);

  private static final int CONTENT_PATH = 1;
  private static final int CONTENT_FOLDER = 2;

  private final NavigableMap<Long, Place> places = new TreeMap<>();

  /** The files of each line table, by where it begins. */
  private final Map<Long, List<String>> files = new HashMap<>();

  private final Functions functions;

  private SourceLines(Functions functions) {
    this.functions = functions;
  }

  /** The lines of a code object; none where it has no debug information, or a broken one. */
  public static SourceLines of(CodeObject object) {
    return of(new DebugData(object.image(), object.sections()));
  }

  /**
   * Returns the lines of a host program or library, a 64-bit ELF file.
   *
   * @throws BadCodeObjectException if it is not one
   */
  public static SourceLines ofHost(byte[] image) {
    return of(new DebugData(image, CodeObject.sections(image)));
  }

  private static SourceLines of(DebugData data) {
    SourceLines lines = new SourceLines(Functions.of(data));
    try {
      ByteBuffer in = data.section(".debug_line", 0);
      while (in.remaining() > 4) {
        long start = in.position();
        int length = in.getInt();
        ByteBuffer unit = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + length);
        Unit table = new Unit(data, unit, lines.places);
        lines.files.put(start, table.files);
        table.read();
      }
    } catch (BufferUnderflowException
        | IndexOutOfBoundsException
        | IllegalArgumentException
        | ArithmeticException e) {
      // What was read so far is usable; the rest has no lines.
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

  /**
   * Where an address, before loading, lies: its line, then the calls that were inlined around it,
   * the innermost first. Empty where no line is known.
   */
  public List<Frame> frames(long address) {
    Optional<Place> line = at(address);
    if (line.isEmpty()) {
      return List.of();
    }
    List<Frame> frames = new ArrayList<>();
    Place place = line.get();
    for (Functions.Function f : functions.at(address)) {
      frames.add(new Frame(place, f.name()));
      List<String> names = files.getOrDefault(f.lineTable(), List.of());
      int file = f.callFile();
      place = new Place(file >= 0 && file < names.size() ? names.get(file) : "", f.callLine());
    }
    return frames.isEmpty() ? List.of(new Frame(place, "")) : frames;
  }

  /**
   * The same in words: {@code scale.h:12 in scale (inlined into saxpy at saxpy.hip:40)}; empty
   * where no line is known.
   */
  public String describe(long address) {
    List<Frame> frames = frames(address);
    if (frames.isEmpty()) {
      return "";
    }
    String innermost = frames.getFirst().toString();
    return frames.size() == 1
        ? innermost
        : frames.stream()
            .skip(1)
            .map(caller -> "into " + caller.function() + " at " + caller.place())
            .collect(Collectors.joining(", ", innermost + " (inlined ", ")"));
  }

  /** The line program of one translation unit. */
  private static final class Unit {
    private final DebugData data;
    private final ByteBuffer in;
    private final NavigableMap<Long, Place> places;
    private final List<String> folders = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private int version;

    Unit(DebugData data, ByteBuffer in, NavigableMap<Long, Place> places) {
      this.data = data;
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
        entries().forEach(f -> files.add(shown(f)));
      } else {
        oldNames();
      }
      in.position(program);
      run(step, lineBase, lineRange, opcodeBase, lengths);
    }

    private void oldNames() {
      folders.add("");
      for (String s = DebugData.string(in); !s.isEmpty(); s = DebugData.string(in)) {
        folders.add(s);
      }
      files.add("");
      for (String s = DebugData.string(in); !s.isEmpty(); s = DebugData.string(in)) {
        int folder = (int) DebugData.unsigned(in);
        DebugData.unsigned(in);
        DebugData.unsigned(in);
        files.add(shown(path(folder, s)));
      }
    }

    private String path(int folder, String name) {
      String in = folder >= 0 && folder < folders.size() ? folders.get(folder) : "";
      return name.startsWith("/") || in.isEmpty() ? name : in + "/" + name;
    }

    /** Returns a file as reports name it: relative to the tree's root if the build recorded it. */
    private String shown(String file) {
      String base = folders.isEmpty() ? "" : folders.getFirst();
      String whole =
          file.startsWith("/") || !(base + "/").startsWith(TREE) ? file : base + "/" + file;
      return whole.startsWith(TREE)
          ? Path.of(whole.substring(TREE.length())).normalize().toString()
          : file;
    }

    private List<String> entries() {
      int formats = in.get() & 0xff;
      long[] kinds = new long[formats];
      long[] forms = new long[formats];
      for (int i = 0; i < formats; i++) {
        kinds[i] = DebugData.unsigned(in);
        forms[i] = DebugData.unsigned(in);
      }
      long count = DebugData.unsigned(in);
      if (count < 0 || count > in.remaining()) {
        throw new BufferUnderflowException();
      }
      List<String> names = new ArrayList<>();
      for (long n = 0; n < count; n++) {
        String name = "";
        int folder = -1;
        for (int i = 0; i < formats; i++) {
          DebugEntry.Value value = DebugForm.read(in, (int) forms[i], 0);
          if (kinds[i] == CONTENT_PATH) {
            name = text(value);
          } else if (kinds[i] == CONTENT_FOLDER) {
            folder = (int) value.number();
          }
        }
        names.add(path(folder, name));
      }
      return names;
    }

    private String text(DebugEntry.Value value) {
      return switch (value.form()) {
        case DebugForm.STRING -> value.text();
        case DebugForm.LINE_STRP -> data.string(".debug_line_str", value.number());
        case DebugForm.STRP -> data.string(".debug_str", value.number());
        default -> throw new IllegalArgumentException("form " + value.form());
      };
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
            int length = (int) DebugData.unsigned(in);
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
          case 2 -> address += DebugData.unsigned(in) * step;
          case 3 -> line += (int) DebugData.signed(in);
          case 4 -> file = (int) DebugData.unsigned(in);
          case 5 -> DebugData.unsigned(in);
          case 8 -> address += (255L - opcodeBase) / lineRange * step;
          case 9 -> address += in.getShort() & 0xffff;
          default -> {
            for (int i = 0; i < lengths[opcode]; i++) {
              DebugData.unsigned(in);
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
