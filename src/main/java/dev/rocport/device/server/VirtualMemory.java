package dev.rocport.device.server;

import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one program does with addresses and memory apart from each other: the addresses it has
 * reserved, the memory it holds, which of it is mapped where, and for which GPUs.
 */
final class VirtualMemory {
  private static final long PAGE = 4096;

  /** What a GPU may do. */
  private static final int READ = 1;

  private static final int READ_WRITE = 3;

  /** Memory mapped at an address, and its view on the GPUs that may access it there. */
  private record Mapping(
      long base, long size, String label, Backing backing, Map<Integer, Allocation> places) {
    long end() {
      return base + size;
    }

    Allocation place(boolean writable) {
      List<Allocation.ReadOnly> parts =
          writable ? List.of() : List.of(new Allocation.ReadOnly(base, end(), "whole"));
      return new Allocation(base, size, Allocation.Kind.DEVICE, label, parts);
    }
  }

  private final Device device;
  private final List<AddressSpace> spaces;
  private final TreeMap<Long, Long> reserved = new TreeMap<>();
  private final TreeMap<Long, Mapping> mapped = new TreeMap<>();
  private final Map<Long, Backing> known = new HashMap<>();
  private final Map<Backing, Integer> held = new HashMap<>();
  private int mappings;
  private boolean closed;

  /**
   * @param spaces what the program may touch, for each GPU
   */
  VirtualMemory(Device device, List<AddressSpace> spaces) {
    this.device = device;
    this.spaces = spaces;
  }

  /** Reserves addresses without memory, for this program only. */
  synchronized long reserve(long size, long align) {
    checkOpen();
    check(size > 0 && pages(size) && align >= 0 && Long.bitCount(align) <= 1);
    long address = device.reserve(size, Math.max(align, PAGE));
    reserved.put(address, size);
    return address;
  }

  /** Gives reserved addresses back; nothing may be mapped there. */
  synchronized void unreserve(long address) {
    Long size = reserved.get(address);
    if (size == null || !mapped.subMap(address, address + size).isEmpty()) {
      throw refusal();
    }
    reserved.remove(address);
    device.unreserve(address, size);
  }

  /**
   * Memory of a GPU, held by this program.
   *
   * @return where it lies in the arena, by which the program names it
   */
  synchronized long create(int gpu, long size) {
    checkOpen();
    check(size > 0 && pages(size));
    return hold(device.back(gpu, size)).base();
  }

  /** Memory that another program has exported, held by this one too. */
  synchronized Backing open(byte[] handle) {
    checkOpen();
    return hold(device.imported(handle));
  }

  private Backing hold(Backing backing) {
    known.put(backing.base(), backing);
    held.merge(backing, 1, Integer::sum);
    return backing;
  }

  /** Ends one holding of memory; what is mapped stays until it is unmapped. */
  synchronized void release(long memory) {
    drop(backing(memory));
  }

  private void drop(Backing backing) {
    int left = held.merge(backing, -1, Integer::sum);
    if (left == 0) {
      held.remove(backing);
      known.remove(backing.base());
    }
    device.release(backing);
  }

  synchronized byte[] export(long memory) {
    return device.export(backing(memory));
  }

  private Backing backing(long memory) {
    Backing backing = known.get(memory);
    if (backing == null) {
      throw new RequestException(
          Status.INVALID_VALUE, "this program holds no memory 0x%x".formatted(memory));
    }
    return backing;
  }

  /** Maps memory at reserved addresses; no GPU may access it there yet. */
  synchronized void map(long address, long memory, long offset, long size) {
    checkOpen();
    Backing backing = backing(memory);
    check(pages(address) && pages(offset) && pages(size));
    check(offset >= 0 && size > 0 && size <= backing.size() && offset <= backing.size() - size);
    Map.Entry<Long, Long> room = reserved.floorEntry(address);
    check(room != null && size <= room.getValue() - (address - room.getKey()));
    Map.Entry<Long, Mapping> below = mapped.lowerEntry(address + size);
    check(below == null || below.getValue().end() <= address);
    device.map(address, size, backing.base() + offset);
    mappings++;
    String label = "mapped memory #" + mappings;
    mapped.put(address, new Mapping(address, size, label, backing, new HashMap<>()));
    device.retain(backing);
    hold(backing);
  }

  /** Takes memory away from the addresses where it was mapped. */
  synchronized void unmap(long address) {
    Mapping gone = mapped.remove(address);
    if (gone == null) {
      throw refusal();
    }
    gone.places().forEach((gpu, place) -> spaces.get(gpu).remove(place));
    device.unmap(address, gone.size());
    drop(gone.backing());
  }

  /**
   * Sets the access of a GPU to the memory mapped at an address.
   *
   * @param flags 0 for none, 1 to read, 3 to read and write
   */
  synchronized void access(long address, int gpu, int flags) {
    Mapping mapping = mapped.get(address);
    if (mapping == null || (flags != 0 && flags != READ && flags != READ_WRITE)) {
      throw refusal();
    }
    AddressSpace space = spaces.get(device.gpu(gpu).index());
    Allocation before = mapping.places().remove(gpu);
    if (before != null) {
      space.hide(before);
    }
    if (flags != 0) {
      Allocation place = mapping.place(flags == READ_WRITE);
      mapping.places().put(gpu, place);
      space.add(place);
    }
  }

  /** Gives everything back. */
  synchronized void close() {
    closed = true;
    List.copyOf(mapped.keySet()).forEach(this::unmap);
    List.copyOf(reserved.keySet()).forEach(this::unreserve);
    Map.copyOf(held)
        .forEach(
            (backing, times) -> {
              for (int i = 0; i < times; i++) {
                drop(backing);
              }
            });
  }

  private static boolean pages(long bytes) {
    return (bytes & PAGE - 1) == 0;
  }

  private static void check(boolean holds) {
    if (!holds) {
      throw refusal();
    }
  }

  private static RequestException refusal() {
    return new RequestException(Status.INVALID_VALUE, "these addresses or sizes cannot be mapped");
  }

  private void checkOpen() {
    if (closed) {
      throw new RequestException(Status.BAD_REQUEST, "this program has disconnected");
    }
  }
}
