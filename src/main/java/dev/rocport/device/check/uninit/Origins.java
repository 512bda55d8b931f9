package dev.rocport.device.check.uninit;

import dev.rocport.device.memory.Allocation;
import java.util.ArrayList;
import java.util.List;

/**
 * The origins of undefined values: each number identifies a place in the code that read unwritten
 * memory. Thread-safe.
 */
final class Origins {
  /** A register that nothing has written. */
  static final int REGISTER = 0;

  /** Added where a value was not only copied but computed. */
  static final int COMPUTED = 1 << 30;

  /** What was read. */
  enum Kind {
    REGISTER("a register"),
    LDS("LDS"),
    SCRATCH("a local variable"),
    GLOBAL("memory");

    final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /** A place that reads, and what it read last that was undefined. */
  static final class Origin {
    final Kind kind;

    /** The index after the instruction; -1 for a register. */
    int pc = -1;

    /** Global: the address; else an offset. */
    long address;

    Origin(Kind kind) {
      this.kind = kind;
    }
  }

  private final List<Origin> all = new ArrayList<>();
  private final List<Allocation> allocations = new ArrayList<>();

  Origins() {
    all.add(new Origin(Kind.REGISTER));
  }

  synchronized int add(Kind kind) {
    all.add(new Origin(kind));
    return all.size() - 1;
  }

  synchronized Origin of(int number) {
    return all.get(number & ~COMPUTED);
  }

  static boolean isComputed(int number) {
    return (number & COMPUTED) != 0;
  }

  synchronized void allocated(Allocation allocation) {
    allocations.add(allocation);
  }

  synchronized void freed(Allocation allocation) {
    allocations.remove(allocation);
  }

  synchronized List<Allocation> allocations() {
    return List.copyOf(allocations);
  }

  /** A readable description of the memory at an address. */
  synchronized String name(long address) {
    return allocations.stream()
        .filter(a -> address >= a.base() && address < a.end())
        .findFirst()
        .map(a -> "%s (%d bytes), byte %d".formatted(a.label(), a.size(), address - a.base()))
        .orElse("device memory");
  }
}
