package dev.rocport.device.server;

import dev.rocport.device.codeobject.PrintFormats;
import dev.rocport.device.dispatch.Gpu;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Memory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the kernels of a program on a GPU share: the heap of device-side malloc, and buffers. */
final class Hostcalls {
  private static final int HEAP_STATE = 131072;

  /** Slabs of the device heap have to begin at multiples of their size. */
  private static final long SLAB = 2L << 20;

  private final Device device;
  private final Gpu gpu;
  private final AddressSpace space;
  private final Map<Long, Allocation> memory = new HashMap<>();
  private final Deque<Allocation> unused = new ArrayDeque<>();
  private @Nullable Allocation heap;
  private boolean closed;

  Hostcalls(Device device, Gpu gpu, AddressSpace space) {
    this.device = device;
    this.gpu = gpu;
    this.space = space;
  }

  /** A buffer for a launch; {@link #give} takes it back. */
  synchronized HostcallBuffer buffer() {
    Allocation known = unused.pollFirst();
    return new HostcallBuffer(
        known == null ? take(HostcallBuffer.SIZE, 4096, "hostcall buffer") : known, this);
  }

  synchronized void give(HostcallBuffer buffer) {
    if (closed) {
      release(buffer.allocation());
    } else {
      unused.addFirst(buffer.allocation());
    }
  }

  /** A buffer for a launch that prints into it; {@link #give(PrintBuffer)} takes it back. */
  PrintBuffer printBuffer(PrintFormats formats) {
    return new PrintBuffer(take(PrintBuffer.SIZE, 4096, "printf buffer"), formats);
  }

  void give(PrintBuffer buffer) {
    release(buffer.allocation());
  }

  /** The address of the state of device-side malloc. */
  synchronized long heap() {
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

  private void release(Allocation allocation) {
    space.remove(allocation);
    device.pool(gpu.index()).give(allocation);
  }

  /** Memory for the device heap where the address is 0, else the end of that memory. */
  synchronized long answer(long address, long size) {
    if (address != 0) {
      Allocation gone = memory.remove(address);
      if (gone != null) {
        release(gone);
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
    closed = true;
    if (heap != null) {
      release(heap);
    }
    unused.forEach(this::release);
    unused.clear();
    memory.values().forEach(this::release);
    memory.clear();
  }
}
