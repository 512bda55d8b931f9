package dev.rocport.device.check.uninit;

import dev.rocport.device.memory.Memory;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Which bits of a piece of memory are undefined: a shadow of the same size, and a state for each
 * page of it, so that what is wholly defined or undefined costs a look at a byte.
 */
final class Region {
  private static final byte DEFINED = 0;
  private static final byte UNDEFINED = 1;

  /** Both: the shadow tells. States above this one count down to the next look at the page. */
  private static final byte MIXED = 2;

  private static final byte PATIENCE = 18;

  private final long start;
  private final long shadow;
  private final int shift;
  private final byte[] states;

  /**
   * Memory that is all defined.
   *
   * @param shadow the address of as many bytes
   * @param shift of a page's size
   */
  Region(long start, long size, long shadow, int shift) {
    this.start = start;
    this.shadow = shadow;
    this.shift = shift;
    this.states = new byte[(int) ((size + (1L << shift) - 1) >>> shift)];
  }

  /** Makes all of it undefined. */
  void forget() {
    Arrays.fill(states, UNDEFINED);
  }

  private int page(long address) {
    return (int) ((address - start) >>> shift);
  }

  /** Whether pages hold nothing undefined. */
  boolean isDefined(long from, long last) {
    int end = page(last);
    int state = 0;
    for (int p = page(from); p <= end; p++) {
      state |= states[p];
    }
    return state == DEFINED;
  }

  /** The undefined bits of a byte. */
  int octet(long address) {
    byte state = states[page(address)];
    return state == DEFINED
        ? 0
        : state == UNDEFINED ? 0xff : Memory.loadByte(shadow + (address - start)) & 0xff;
  }

  /** The undefined bits of a dword. */
  int word(long address) {
    int p = page(address);
    if (p != page(address + 3)) {
      return octet(address)
          | octet(address + 1) << 8
          | octet(address + 2) << 16
          | octet(address + 3) << 24;
    }
    byte state = states[p];
    return state == DEFINED
        ? 0
        : state == UNDEFINED ? -1 : Memory.loadInt(shadow + (address - start));
  }

  void octet(long address, int bits) {
    int p = page(address);
    byte state = states[p];
    if (state == DEFINED ? bits == 0 : state == UNDEFINED && bits == 0xff) {
      return;
    }
    if (state < MIXED) {
      mix(p);
    }
    Memory.storeByte(shadow + (address - start), (byte) bits);
  }

  void word(long address, int bits) {
    int p = page(address);
    if (p != page(address + 3)) {
      for (int b = 0; b < 4; b++) {
        octet(address + b, bits >>> (8 * b) & 0xff);
      }
      return;
    }
    byte state = states[p];
    if (state == DEFINED ? bits == 0 : state == UNDEFINED && bits == -1) {
      return;
    }
    if (state < MIXED) {
      mix(p);
    }
    Memory.storeInt(shadow + (address - start), bits);
  }

  /** Sets whole bytes. */
  void set(long from, long size, boolean defined) {
    long at = from;
    long end = from + size;
    while (at < end) {
      int p = page(at);
      long next = Math.min(end, start + ((p + 1L) << shift));
      if (next - at == 1L << shift) {
        states[p] = defined ? DEFINED : UNDEFINED;
      } else if (states[p] != (defined ? DEFINED : UNDEFINED)) {
        if (states[p] < MIXED) {
          mix(p);
        }
        Memory.fill(shadow + (at - start), next - at, (byte) (defined ? 0 : -1));
        if (defined) {
          look(p);
        }
      }
      at = next;
    }
  }

  /** Fills the shadow of a page according to its state. */
  private synchronized void mix(int p) {
    byte state = states[p];
    if (state >= MIXED) {
      return;
    }
    Memory.fill(shadow + ((long) p << shift), 1L << shift, (byte) (state == DEFINED ? 0 : -1));
    VarHandle.storeStoreFence();
    states[p] = PATIENCE;
  }

  /**
   * To be told when a page that is mixed was found defined where it was read, or became so where it
   * was written: from time to time looks whether it is all defined by now.
   */
  void look(int p) {
    byte state = states[p];
    if (state < MIXED) {
      return;
    }
    if (state > MIXED) {
      states[p] = (byte) (state - 1);
      return;
    }
    long at = shadow + ((long) p << shift);
    long end = at + (1L << shift);
    long bits = 0;
    for (; at < end; at += 8) {
      bits |= Memory.loadLong(at);
    }
    states[p] = bits == 0 ? DEFINED : PATIENCE;
  }

  void look(long from, long last) {
    int end = page(last);
    for (int p = page(from); p <= end; p++) {
      look(p);
    }
  }
}
