package dev.rocport.device.op.memory;

import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/** An atomic operation of some lanes on global memory, with its operands already read. */
public final class AtomicAccess {
  /** Changes memory; the old value. */
  interface Exchange {
    long apply(long address, long first, long second);
  }

  private final int bytes;
  private final long lanes;
  private final long[] addresses;
  private final long[] first;
  private final long[] second;
  private final Exchange exchange;
  private final int @Nullable [] registers;
  private final int destination;
  private final long[] old;

  /** Whether the old value goes to one of these places in a file of registers. */
  public boolean writes(int[] file, int from, int to) {
    int end = destination + Math.max(1, bytes / 4) * Wave.LANES;
    return registers == file && destination < to && from < end;
  }

  /**
   * @param first the first data operand of each lane
   * @param registers where the old value goes, or null
   * @param destination the index of lane 0 there
   */
  AtomicAccess(
      int bytes,
      long lanes,
      long[] addresses,
      long[] first,
      long[] second,
      Exchange exchange,
      int @Nullable [] registers,
      int destination) {
    this.bytes = bytes;
    this.lanes = lanes;
    this.addresses = addresses;
    this.first = first;
    this.second = second;
    this.exchange = exchange;
    this.registers = registers;
    this.destination = destination;
    this.old = new long[addresses.length];
  }

  /** Bytes of each lane. */
  public int bytes() {
    return bytes;
  }

  /** Bit l: lane l takes part. */
  public long lanes() {
    return lanes;
  }

  /** The address of a lane's bytes. */
  public long address(int lane) {
    return addresses[lane];
  }

  /** Changes memory, lane by lane from 0 up. */
  public void perform() {
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      old[lane] = exchange.apply(addresses[lane], first[lane], second[lane]);
    }
  }

  /** Writes the old values to the registers. */
  public void deliver() {
    if (registers == null) {
      return;
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      registers[destination + lane] = (int) old[lane];
      if (bytes == 8) {
        registers[destination + lane + old.length] = (int) (old[lane] >>> 32);
      }
    }
  }
}
