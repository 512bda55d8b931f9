package dev.rocport.device.codeobject;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One unit of {@code .debug_info}, of DWARF 4 or 5: its functions, and what was inlined in them.
 * Source: the DWARF 5 standard, sections 3.3, 7.5 and 7.25.
 */
final class DebugUnit {
  private static final int COMPILE_UNIT = 0x11;
  private static final int INLINED_SUBROUTINE = 0x1d;
  private static final int SUBPROGRAM = 0x2e;

  /** How often a name may be looked for in another entry. */
  private static final int HOPS = 8;

  /** An attribute of an abbreviation: three numbers, as in {@code .debug_abbrev}. */
  private record Attribute(int name, int form, long constant) {}

  private record Abbreviation(int tag, boolean parent, List<Attribute> attributes) {}

  /** Addresses from {@code low} up to, not including, {@code high}. */
  record Range(long low, long high) {
    boolean contains(long address) {
      return address >= low && address < high;
    }
  }

  private final DebugData data;
  private final int start;
  private final int version;
  private final Map<Long, Abbreviation> abbreviations = new HashMap<>();
  private final Map<Long, DebugEntry> byOffset = new HashMap<>();
  private final List<DebugEntry> functions = new ArrayList<>();
  private DebugEntry unit = new DebugEntry();

  /**
   * Reads a unit.
   *
   * @param in the section, at the version in the unit's header
   * @param start where the unit's header begins
   * @param end where the unit ends
   */
  DebugUnit(DebugData data, ByteBuffer in, int start, int end) {
    this.data = data;
    this.start = start;
    this.version = in.getShort();
    if (version < 4 || version > 5) {
      return;
    }
    boolean compiles = version == 4;
    if (version == 5) {
      int type = in.get();
      compiles = type == 1 || type == 3;
      in.get();
    }
    readAbbreviations(in.getInt() & 0xffffffffL);
    if (version == 4) {
      in.get();
    }
    if (compiles) {
      readEntries(in, end);
    }
  }

  private void readAbbreviations(long offset) {
    ByteBuffer in = data.section(".debug_abbrev", offset);
    for (long code = DebugData.unsigned(in); code != 0; code = DebugData.unsigned(in)) {
      int tag = (int) DebugData.unsigned(in);
      boolean parent = in.get() != 0;
      List<Attribute> attributes = new ArrayList<>();
      while (true) {
        int name = (int) DebugData.unsigned(in);
        int form = (int) DebugData.unsigned(in);
        if (name == 0 && form == 0) {
          break;
        }
        long constant = form == DebugForm.IMPLICIT_CONST ? DebugData.signed(in) : 0;
        attributes.add(new Attribute(name, form, constant));
      }
      abbreviations.put(code, new Abbreviation(tag, parent, attributes));
    }
  }

  private void readEntries(ByteBuffer in, int end) {
    // Blocks and types represent the function around them.
    Deque<DebugEntry> around = new ArrayDeque<>();
    around.push(unit);
    while (in.position() < end) {
      long offset = in.position();
      long code = DebugData.unsigned(in);
      if (code == 0) {
        if (around.size() > 1) {
          around.pop();
        }
        continue;
      }
      Abbreviation abbreviation = abbreviations.get(code);
      if (abbreviation == null) {
        throw new IllegalArgumentException("no abbreviation " + code);
      }
      int tag = abbreviation.tag();
      boolean counts = tag == COMPILE_UNIT || tag == SUBPROGRAM || tag == INLINED_SUBROUTINE;
      DebugEntry entry = counts ? new DebugEntry() : around.getFirst();
      for (Attribute a : abbreviation.attributes()) {
        DebugEntry.Value value = DebugForm.read(in, a.form(), a.constant());
        if (counts) {
          entry.put(a.name(), value);
        }
      }
      if (counts) {
        keep(offset, tag, entry, around.getFirst());
      }
      if (abbreviation.parent()) {
        around.push(entry);
      }
    }
  }

  private void keep(long offset, int tag, DebugEntry entry, DebugEntry around) {
    if (tag == COMPILE_UNIT) {
      unit = entry;
      return;
    }
    byOffset.put(offset, entry);
    if (tag == SUBPROGRAM) {
      functions.add(entry);
    } else {
      around.inlined.add(entry);
    }
  }

  List<DebugEntry> functions() {
    return functions;
  }

  /** Where the unit's line table begins, or -1. */
  long lineTable() {
    return unit.number(DebugEntry.LINE_TABLE, -1);
  }

  /** The name of a function, or of the one that was inlined; empty where it has none. */
  String name(DebugEntry entry) {
    DebugEntry at = entry;
    for (int i = 0; i < HOPS && at != null; i++) {
      DebugEntry.Value name = at.get(DebugEntry.NAME);
      if (name != null) {
        return text(name);
      }
      DebugEntry next = entryAt(at.get(DebugEntry.ABSTRACT_ORIGIN));
      at = next != null ? next : entryAt(at.get(DebugEntry.SPECIFICATION));
    }
    return "";
  }

  private @Nullable DebugEntry entryAt(DebugEntry.@Nullable Value reference) {
    if (reference == null) {
      return null;
    }
    long offset = reference.number();
    return byOffset.get(reference.form() == DebugForm.REF_ADDR ? offset : start + offset);
  }

  private String text(DebugEntry.Value value) {
    int form = value.form();
    if (form == DebugForm.STRX || (form >= DebugForm.STRX1 && form <= DebugForm.STRX4)) {
      long at = unit.number(DebugEntry.STRING_OFFSETS_BASE, 8) + 4 * value.number();
      long offset = DebugData.number(data.section(".debug_str_offsets", at), 4);
      return data.string(".debug_str", offset);
    }
    return switch (form) {
      case DebugForm.STRP -> data.string(".debug_str", value.number());
      case DebugForm.LINE_STRP -> data.string(".debug_line_str", value.number());
      default -> value.text();
    };
  }

  /** The addresses of an entry's instructions, before loading. */
  List<Range> ranges(DebugEntry entry) {
    DebugEntry.Value list = entry.get(DebugEntry.RANGES);
    if (list != null) {
      return version == 5 ? rangeList(list) : oldRanges(list.number());
    }
    DebugEntry.Value low = entry.get(DebugEntry.LOW_PC);
    DebugEntry.Value high = entry.get(DebugEntry.HIGH_PC);
    if (low == null || high == null) {
      return List.of();
    }
    long from = address(low);
    return List.of(
        new Range(from, high.form() == DebugForm.ADDR ? high.number() : from + high.number()));
  }

  private long address(DebugEntry.Value value) {
    int form = value.form();
    boolean index =
        form == DebugForm.ADDRX || (form >= DebugForm.ADDRX1 && form <= DebugForm.ADDRX4);
    return index ? addressAt(value.number()) : value.number();
  }

  private long addressAt(long index) {
    long at = unit.number(DebugEntry.ADDRESS_BASE, 8) + 8 * index;
    return data.section(".debug_addr", at).getLong();
  }

  private long base() {
    DebugEntry.Value low = unit.get(DebugEntry.LOW_PC);
    return low == null ? 0 : address(low);
  }

  private List<Range> oldRanges(long offset) {
    ByteBuffer in = data.section(".debug_ranges", offset);
    List<Range> ranges = new ArrayList<>();
    long base = base();
    while (true) {
      long low = in.getLong();
      long high = in.getLong();
      if (low == 0 && high == 0) {
        return ranges;
      }
      if (low == -1) {
        base = high;
      } else {
        ranges.add(new Range(base + low, base + high));
      }
    }
  }

  private List<Range> rangeList(DebugEntry.Value list) {
    long offset = list.number();
    if (list.form() == DebugForm.RNGLISTX) {
      long table = unit.number(DebugEntry.RANGE_LISTS_BASE, 12);
      offset = table + DebugData.number(data.section(".debug_rnglists", table + 4 * offset), 4);
    }
    ByteBuffer in = data.section(".debug_rnglists", offset);
    List<Range> ranges = new ArrayList<>();
    long base = base();
    while (true) {
      int kind = in.get();
      switch (kind) {
        case 0 -> {
          return ranges;
        }
        case 1 -> base = addressAt(DebugData.unsigned(in));
        case 2 -> {
          long low = addressAt(DebugData.unsigned(in));
          ranges.add(new Range(low, addressAt(DebugData.unsigned(in))));
        }
        case 3 -> {
          long low = addressAt(DebugData.unsigned(in));
          ranges.add(new Range(low, low + DebugData.unsigned(in)));
        }
        case 4 -> {
          long low = base + DebugData.unsigned(in);
          ranges.add(new Range(low, base + DebugData.unsigned(in)));
        }
        case 5 -> base = in.getLong();
        case 6 -> {
          long low = in.getLong();
          ranges.add(new Range(low, in.getLong()));
        }
        case 7 -> {
          long low = in.getLong();
          ranges.add(new Range(low, low + DebugData.unsigned(in)));
        }
        default -> throw new IllegalArgumentException("range list entry " + kind);
      }
    }
  }
}
