package dev.rocport.device.codeobject;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The functions that contain an address: one that the code has, and those that were inlined. */
final class Functions {
  /**
   * A function around an address.
   *
   * @param name without its scope, as {@code .debug_info} has it
   * @param lineTable where the table that counts its files begins in {@code .debug_line}
   * @param callFile the file with the call that was inlined, by its number; -1 for a function that
   *     is called
   * @param callLine the line of that call
   */
  public record Function(String name, long lineTable, int callFile, int callLine) {}

  private record Span(long end, DebugUnit unit, DebugEntry entry) {}

  private final NavigableMap<Long, Span> spans = new TreeMap<>();

  private Functions() {}

  /** The functions of a code object; none where it has no debug information, or a broken one. */
  static Functions of(DebugData data) {
    Functions functions = new Functions();
    try {
      ByteBuffer in = data.section(".debug_info", 0);
      while (in.remaining() > 4) {
        int start = in.position();
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
          break;
        }
        int end = in.position() + length;
        functions.add(new DebugUnit(data, in, start, end));
        in.position(end);
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
      // What was read so far is usable; the rest has lines only.
    }
    return functions;
  }

  private void add(DebugUnit unit) {
    for (DebugEntry function : unit.functions()) {
      for (DebugUnit.Range range : unit.ranges(function)) {
        spans.put(range.low(), new Span(range.high(), unit, function));
      }
    }
  }

  /** The functions around an address, before loading: the innermost first. */
  List<Function> at(long address) {
    Map.Entry<Long, Span> span = spans.floorEntry(address);
    if (span == null || address >= span.getValue().end()) {
      return List.of();
    }
    DebugUnit unit = span.getValue().unit();
    Deque<Function> found = new ArrayDeque<>();
    try {
      DebugEntry entry = span.getValue().entry();
      while (entry != null) {
        found.addFirst(
            new Function(
                unit.name(entry),
                unit.lineTable(),
                (int) entry.number(DebugEntry.CALL_FILE, -1),
                (int) entry.number(DebugEntry.CALL_LINE, 0)));
        entry =
            entry.inlined.stream()
                .filter(e -> unit.ranges(e).stream().anyMatch(r -> r.contains(address)))
                .findFirst()
                .orElse(null);
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
      // The functions outside the malformed one are of no use without it.
      return List.of();
    }
    return new ArrayList<>(found);
  }
}
