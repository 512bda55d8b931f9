package dev.rocport.device.server;

import dev.rocport.device.dispatch.Gpu;
import dev.rocport.device.dispatch.HostServices;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Memory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the kernels of a program on a GPU ask of the host: printing, and memory for device-side
 * malloc.
 *
 * <p>A wave takes a packet from the buffer's free stack, writes a header and up to eight numbers a
 * lane, puts it on the ready stack, adds to the doorbell's signal and sends an interrupt message;
 * then it waits until the ready flag of the packet's header is gone, reads two numbers a lane, and
 * gives the packet back. Stacks hold an index of packets in the low bits and a counter above, and 0
 * is empty. Source: the behaviour of the hostcall functions in ROCm's device libraries.
 */
final class Hostcalls {
  private static final int SERVICE_PRINTF = 2;
  private static final int SERVICE_MEMORY = 3;

  // The buffer: headers, payloads, doorbell, free stack, ready stack, mask of the index; then the
  // doorbell's
  // signal and its mailbox.
  private static final int HEADERS = 0;
  private static final int PAYLOADS = 8;
  private static final int DOORBELL = 16;
  private static final int FREE_STACK = 24;
  private static final int READY_STACK = 32;
  private static final int INDEX_MASK = 40;
  private static final int SIGNAL = 64;
  private static final int SIGNAL_MAILBOX = SIGNAL + 16;
  private static final int SIGNAL_EVENT = SIGNAL + 24;
  private static final int MAILBOX = 128;
  private static final int HEAD = 192;

  // A header: next, active lanes, service, control with the ready flag in bit 0.
  private static final int HEADER = 24;
  private static final int HEADER_LANES = 8;
  private static final int HEADER_SERVICE = 16;
  private static final int HEADER_CONTROL = 20;

  private static final int SLOTS = 8;
  private static final int PAYLOAD = 64 * SLOTS * 8;

  private static final int WAVES_PER_CU = 32;
  private static final int HEAP_STATE = 131072;

  /** Slabs of the device heap have to begin at multiples of their size. */
  private static final long SLAB = 2L << 20;

  private final Device device;
  private final Gpu gpu;
  private final AddressSpace space;
  private final PrintedMessages printed = new PrintedMessages();
  private final Map<Long, Allocation> memory = new HashMap<>();
  private @Nullable Allocation buffer;
  private @Nullable Allocation heap;

  Hostcalls(Device device, Gpu gpu, AddressSpace space) {
    this.device = device;
    this.gpu = gpu;
    this.space = space;
  }

  /** The services of one launch. */
  HostServices writingTo(Output output) {
    return new HostServices() {
      @Override
      public long hostcallBuffer() {
        return buffer();
      }

      @Override
      public long heap() {
        return Hostcalls.this.heap();
      }

      @Override
      public void serve() {
        Hostcalls.this.serve(output);
      }
    };
  }

  private synchronized long buffer() {
    if (buffer == null) {
      int packets = Integer.highestOneBit(gpu.computeUnits() * WAVES_PER_CU * 2 - 1);
      long size = HEAD + (long) packets * (HEADER + PAYLOAD);
      buffer = take(size, 4096, "hostcall buffer");
      initialize(buffer.base(), packets);
    }
    return buffer.base();
  }

  private static void initialize(long at, int packets) {
    long headers = at + HEAD;
    Memory.fill(at, HEAD, (byte) 0);
    Memory.storeLong(at + HEADERS, headers);
    Memory.storeLong(at + PAYLOADS, headers + (long) packets * HEADER);
    Memory.storeLong(at + DOORBELL, at + SIGNAL);
    Memory.storeLong(at + INDEX_MASK, packets - 1L);
    Memory.storeLong(at + SIGNAL_MAILBOX, at + MAILBOX);
    Memory.storeInt(at + SIGNAL_EVENT, 1);
    // The counter begins at one, so that no packet is 0.
    for (int i = 0; i < packets; i++) {
      long header = headers + (long) i * HEADER;
      Memory.fill(header, HEADER, (byte) 0);
      Memory.storeLong(header, i == 0 ? 0 : packets | (i - 1));
    }
    Memory.storeLong(at + FREE_STACK, packets | (packets - 1));
  }

  private synchronized long heap() {
    if (heap == null) {
      heap = take(HEAP_STATE, 4096, "state of the device heap");
      // All zero: no slab yet, so the first malloc asks for one.
      Memory.fill(heap.base(), HEAP_STATE, (byte) 0);
    }
    return heap.base();
  }

  private Allocation take(long size, long align, String label) {
    long address = device.pool(gpu.index()).take(size, align);
    Allocation allocation = new Allocation(address, size, Allocation.Kind.INTERNAL, label);
    space.add(allocation);
    return allocation;
  }

  private void give(Allocation allocation) {
    space.remove(allocation);
    device.pool(gpu.index()).give(allocation);
  }

  private synchronized void serve(Output output) {
    if (buffer == null) {
      return;
    }
    long at = buffer.base();
    long mask = Memory.loadLong(at + INDEX_MASK);
    long packet = (long) Memory.LONG.getAndSet(Memory.ALL, at + READY_STACK, 0L);
    List<Long> ready = new ArrayList<>();
    // The kernel can write this memory, so the list need not be a list: no more packets than there
    // are.
    while (packet != 0 && ready.size() <= mask) {
      ready.add(packet & mask);
      packet = Memory.loadLong(at + HEAD + (packet & mask) * HEADER);
    }
    for (long index : ready.reversed()) {
      long header = at + HEAD + index * HEADER;
      long payload = at + HEAD + (mask + 1) * HEADER + index * PAYLOAD;
      answer(
          Memory.loadInt(header + HEADER_SERVICE),
          Memory.loadLong(header + HEADER_LANES),
          payload,
          output);
      Memory.INT.setRelease(Memory.ALL, header + HEADER_CONTROL, 0);
    }
  }

  private void answer(int service, long lanes, long payload, Output output) {
    for (long left = lanes; left != 0; left &= left - 1) {
      long slots = payload + (long) Long.numberOfTrailingZeros(left) * SLOTS * 8;
      switch (service) {
        case SERVICE_PRINTF -> print(slots, output);
        case SERVICE_MEMORY ->
            Memory.storeLong(slots, memory(Memory.loadLong(slots), Memory.loadLong(slots + 8)));
        default ->
            throw new IllegalStateException(
                "a kernel asked for the unknown host service " + service);
      }
    }
  }

  private void print(long slots, Output output) {
    long[] message = new long[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
      message[i] = Memory.loadLong(slots + 8L * i);
    }
    Memory.storeLong(slots, printed.append(message, output));
  }

  /** Memory for the device heap where the address is 0, else the end of that memory. */
  private long memory(long address, long size) {
    if (address != 0) {
      Allocation gone = memory.remove(address);
      if (gone != null) {
        give(gone);
      }
      return 0;
    }
    try {
      Allocation allocation = take(size, size >= SLAB ? SLAB : 4096, "device heap");
      memory.put(allocation.base(), allocation);
      return allocation.base();
    } catch (RequestException e) {
      // malloc in the kernel returns null.
      return 0;
    }
  }

  synchronized void close() {
    if (buffer != null) {
      give(buffer);
    }
    if (heap != null) {
      give(heap);
    }
    memory.values().forEach(this::give);
    memory.clear();
  }
}
