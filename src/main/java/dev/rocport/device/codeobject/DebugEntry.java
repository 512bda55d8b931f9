package dev.rocport.device.codeobject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A function, or a place where one was inlined, as {@code .debug_info} describes it. */
final class DebugEntry {
  static final int NAME = 0x03;
  static final int LINE_TABLE = 0x10;
  static final int LOW_PC = 0x11;
  static final int HIGH_PC = 0x12;
  static final int ABSTRACT_ORIGIN = 0x31;
  static final int SPECIFICATION = 0x47;
  static final int RANGES = 0x55;
  static final int CALL_FILE = 0x58;
  static final int CALL_LINE = 0x59;
  static final int STRING_OFFSETS_BASE = 0x72;
  static final int ADDRESS_BASE = 0x73;
  static final int RANGE_LISTS_BASE = 0x74;

  /**
   * An attribute as it stands in the entry; what it means may depend on entries that come later.
   *
   * @param number the value, or an offset or index of it
   * @param text for strings that stand in the entry itself
   */
  record Value(int form, long number, String text) {}

  private final Map<Integer, Value> values = new HashMap<>();

  /** What was inlined in it, directly. */
  final List<DebugEntry> inlined = new ArrayList<>();

  void put(int attribute, Value value) {
    values.put(attribute, value);
  }

  @Nullable Value get(int attribute) {
    return values.get(attribute);
  }

  long number(int attribute, long otherwise) {
    Value value = values.get(attribute);
    return value == null ? otherwise : value.number();
  }
}
