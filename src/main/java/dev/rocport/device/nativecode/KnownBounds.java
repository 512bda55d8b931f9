package dev.rocport.device.nativecode;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bounds of vector registers, and of pairs of them, as far as they are known. */
final class KnownBounds {
  private final Map<Integer, Bounds> registers = new HashMap<>();

  /** By the first register. */
  private final Map<Integer, Bounds> pairs = new HashMap<>();

  private Map<Integer, Bounds> all(boolean wide) {
    return wide ? pairs : registers;
  }

  @Nullable Bounds get(int register, boolean wide) {
    return all(wide).get(register);
  }

  void put(int register, boolean wide, Bounds bounds) {
    all(wide).put(register, bounds);
  }

  void putAll(KnownBounds others) {
    registers.putAll(others.registers);
    pairs.putAll(others.pairs);
  }

  /** These registers are written. */
  void forget(int register, int words) {
    pairs.remove(register - 1);
    for (int r = register; r < register + words; r++) {
      registers.remove(r);
      pairs.remove(r);
    }
  }

  void clear() {
    registers.clear();
    pairs.clear();
  }
}
