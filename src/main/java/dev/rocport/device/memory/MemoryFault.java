package dev.rocport.device.memory;

/**
 * An access by a wave to memory that it must not access. The running wave adds kernel, source line
 * and lane.
 */
public final class MemoryFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What the wave was doing. */
  public enum Access {
    LOAD,
    STORE,
    ATOMIC
  }

  private final Access access;
  private final long address;
  private final int lane;

  public MemoryFault(Access access, long address, int bytes, String where) {
    this(describe(access, address, bytes, where), access, address, -1);
  }

  private MemoryFault(String message, Access access, long address, int lane) {
    super(message, null, false, false);
    this.access = access;
    this.address = address;
    this.lane = lane;
  }

  private static String describe(Access access, long address, int bytes, String where) {
    String verb =
        switch (access) {
          case LOAD -> "load";
          case STORE -> "store";
          case ATOMIC -> "atomic";
        };
    return "%s of %d bytes at 0x%x: %s".formatted(verb, bytes, address, where);
  }

  /** The same fault, of a lane. */
  public MemoryFault inLane(int number) {
    return new MemoryFault(String.valueOf(getMessage()), access, address, number);
  }

  public Access access() {
    return access;
  }

  public long address() {
    return address;
  }

  /** The lane from 0 to 63, or -1 for a scalar access. */
  public int lane() {
    return lane;
  }
}
