package dev.rocport.device.memory;

import dev.rocport.device.memory.MemoryFault.Access;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of memory that a program allocated. Objects are immutable except for {@link #freed}.
 *
 * @see AddressSpace
 */
public final class Allocation {
  /** What an allocation is for. */
  public enum Kind {
    DEVICE,
    /** Memory of a GPU that others see while kernels run: fine-grained. */
    FINE,
    HOST,
    MANAGED,
    /** Code, constants and variables of a code object. */
    CODE,
    /** Kernel arguments and similar, allocated by the device itself. */
    INTERNAL
  }

  /**
   * A part that kernels may read but not write.
   *
   * @param base its first address
   * @param end the first address after it
   * @param what its name in a message, such as {@code "code"}
   */
  public record ReadOnly(long base, long end, String what) {}

  private final long base;
  private final long size;
  private final Kind kind;
  private final String label;
  private final ReadOnly[] readOnly;
  private volatile boolean freed;

  /**
   * @param base the first address
   * @param size bytes, as the program asked for them
   * @param label what a message calls it, such as {@code "hipMalloc #12"}
   */
  public Allocation(long base, long size, Kind kind, String label) {
    this(base, size, kind, label, List.of());
  }

  /** The same with parts that are read only. */
  public Allocation(long base, long size, Kind kind, String label, List<ReadOnly> readOnly) {
    this.base = base;
    this.size = size;
    this.kind = kind;
    this.label = label;
    this.readOnly = readOnly.toArray(ReadOnly[]::new);
  }

  public long base() {
    return base;
  }

  public long size() {
    return size;
  }

  /** The first address after it. */
  public long end() {
    return base + size;
  }

  /** The first address after its last word, which counts whole. */
  public long lastWordEnd() {
    return base + ((size + 3) & -4);
  }

  /** Whether no part of it is read only. */
  public boolean isWritable() {
    return readOnly.length == 0;
  }

  public Kind kind() {
    return kind;
  }

  public String label() {
    return label;
  }

  public boolean isFreed() {
    return freed;
  }

  void free() {
    freed = true;
  }

  /**
   * Whether {@code bytes} bytes from {@code address} on all lie in it, and it is not freed. A last
   * word that is begun counts whole: compilers make atomics of one and two bytes of such of four.
   */
  public boolean holds(long address, long bytes) {
    long offset = address - base;
    return offset >= 0 && offset <= ((size + 3) & -4) - bytes && !freed;
  }

  /** Whether it {@link #holds} these bytes and a kernel may do that with them. */
  public boolean allows(Access access, long address, long bytes) {
    return holds(address, bytes) && (access == Access.LOAD || readOnlyAt(address, bytes) == null);
  }

  /** The first part that is read only and has any of these bytes, or null. */
  @Nullable ReadOnly readOnlyAt(long address, long bytes) {
    for (ReadOnly part : readOnly) {
      if (address < part.end() && part.base() < address + bytes) {
        return part;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return label + " (" + size + " bytes at 0x" + Long.toHexString(base) + ")";
  }
}
