package dev.rocport.device.server;

import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one program does with addresses and memory apart from each other: the addresses it has
 * reserved, the memory it holds, which of it is mapped where, and for which GPUs.
 */
final class VirtualMemory {
  private static final long PAGE = 4096;

  /** Memory at an address; {@code gpus} may touch it there. */
  private record Mapping(Allocation place, Backing backing, Set<Integer> gpus) {}

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

  /** Addresses with nothing behind them, for this program alone. */
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
    check(size != null && mapped.subMap(address, address + size).isEmpty());
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

  /** Puts memory behind reserved addresses; no GPU may touch it there yet. */
  synchronized void map(long address, long memory, long offset, long size) {
    checkOpen();
    Backing backing = backing(memory);
    check(pages(address) && pages(offset) && pages(size));
    check(offset >= 0 && size > 0 && size <= backing.size() && offset <= backing.size() - size);
    Map.Entry<Long, Long> room = reserved.floorEntry(address);
    check(room != null && size <= room.getValue() - (address - room.getKey()));
    Map.Entry<Long, Mapping> below = mapped.lowerEntry(address + size);
    check(below == null || below.getValue().place().end() <= address);
    device.arena().map(address, size, backing.base() + offset);
    mappings++;
    Allocation place =
        new Allocation(address, size, Allocation.Kind.DEVICE, "mapped memory #" + mappings);
    mapped.put(address, new Mapping(place, backing, new HashSet<>()));
    device.retain(backing);
    hold(backing);
  }

  /** Takes memory away from the addresses where it was mapped. */
  synchronized void unmap(long address) {
    Mapping gone = mapped.remove(address);
    check(gone != null);
    gone.gpus().forEach(g -> spaces.get(g).remove(gone.place()));
    device.arena().unmap(address, gone.place().size());
    drop(gone.backing());
  }

  /** Lets a GPU touch what is mapped at an address, or forbids it. */
  synchronized void access(long address, int gpu, boolean on) {
    Mapping mapping = mapped.get(address);
    check(mapping != null);
    AddressSpace space = spaces.get(device.gpu(gpu).index());
    if (on && mapping.gpus().add(gpu)) {
      space.add(mapping.place());
    } else if (!on && mapping.gpus().remove(gpu)) {
      space.hide(mapping.place());
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
      throw new RequestException(
          Status.INVALID_VALUE, "these are not addresses or sizes that can be mapped");
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new RequestException(Status.BAD_REQUEST, "this program has said goodbye");
    }
  }
}
