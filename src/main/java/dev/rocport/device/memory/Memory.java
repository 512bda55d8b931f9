package dev.rocport.device.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Raw little-endian loads, stores and atomics at addresses of this process, with any alignment
 * except for atomics. There are no checks: an address that no {@link AddressSpace} has approved
 * crashes the process.
 */
public final class Memory {
  /** All of the address space: {@code ALL}'s offsets are addresses. */
  @SuppressWarnings("restricted")
  public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /**
   * Atomics on 32 bits: {@code INT.getAndAdd(Memory.ALL, address, value)}; aligned addresses only.
   */
  public static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  /** Atomics on 64 bits; aligned addresses only. */
  public static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Memory() {}

  public static int loadInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
  }

  public static long loadLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  public static short loadShort(long address) {
    return ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, address);
  }

  public static byte loadByte(long address) {
    return ALL.get(ValueLayout.JAVA_BYTE, address);
  }

  public static void storeInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
  }

  public static void storeLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  public static void storeShort(long address, short value) {
    ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, address, value);
  }

  public static void storeByte(long address, byte value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, value);
  }

  public static void fill(long address, long size, byte value) {
    ALL.asSlice(address, size).fill(value);
  }

  /** Copies bytes of the heap to memory. */
  public static void copy(byte[] from, int offset, long address, int size) {
    MemorySegment.copy(from, offset, ALL, ValueLayout.JAVA_BYTE, address, size);
  }

  /** Copies memory to the heap. */
  public static byte[] bytes(long address, int size) {
    return ALL.asSlice(address, size).toArray(ValueLayout.JAVA_BYTE);
  }
}
