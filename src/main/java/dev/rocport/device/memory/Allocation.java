package dev.rocport.device.memory;

/**
 * A piece of memory that a program asked for. Objects are immutable but for {@link #freed}.
 *
 * @see AddressSpace
 */
public final class Allocation {
  /** What an allocation is for. */
  public enum Kind {
    DEVICE,
    HOST,
    MANAGED,
    /** Code, constants and variables of a code object. */
    CODE,
    /** Kernel arguments and the like, made by the device itself. */
    INTERNAL
  }

  private final long base;
  private final long size;
  private final Kind kind;
  private final String label;
  private volatile boolean freed;

  /**
   * @param base the first address
   * @param size bytes, as the program asked for them
   * @param label what a message calls it, such as {@code "hipMalloc #12"}
   */
  public Allocation(long base, long size, Kind kind, String label) {
    this.base = base;
    this.size = size;
    this.kind = kind;
    this.label = label;
  }

  public long base() {
    return base;
  }

  public long size() {
    return size;
  }

  /** The first address behind it. */
  public long end() {
    return base + size;
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

  @Override
  public String toString() {
    return label + " (" + size + " bytes at 0x" + Long.toHexString(base) + ")";
  }
}
