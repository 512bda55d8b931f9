package dev.rocport.device.server;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.race.Races;
import dev.rocport.device.dispatch.DispatchOptions;
import dev.rocport.device.dispatch.Gpu;
import dev.rocport.device.dispatch.KnownCode;
import dev.rocport.device.dispatch.Launch;
import dev.rocport.device.dispatch.Scheduler;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Ranges;
import dev.rocport.device.memory.SharedArena;
import dev.rocport.device.nativecode.NativeEngine;
import dev.rocport.device.wave.Temporaries;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The GPUs, their memory, and what programs share of it. */
final class Device {
  private static final long HOST_MEMORY = 64L << 30;
  private static final long PAGE = 4096;

  /**
   * Reserved ranges and mapped memory of all programs together: Linux gives a process 65530 maps.
   */
  private static final int MOST_MAPS = 32_768;

  /** Bytes of a handle, as HIP has it. */
  static final int HANDLE = 64;

  private final SharedArena arena;
  private final List<Gpu> gpus = new ArrayList<>();
  private final List<Pool> pools = new ArrayList<>();
  private final Pool hostPool;
  private final long hostBase;
  private final Scheduler scheduler;

  /** Whether only one wave may run at a time. */
  private final boolean isSerial;

  private final DispatchOptions dispatch;
  private final KnownCode code;
  private final Races races = new Races();
  private final Owners owners = new Owners();
  private final Map<String, Allocation> shared = new HashMap<>();
  private final Map<String, Backing> exported = new HashMap<>();
  private final Ranges addresses =
      new Ranges(SharedArena.VIRTUAL_ADDRESS, SharedArena.VIRTUAL_SIZE);
  private int maps;
  private final SecureRandom random = new SecureRandom();

  Device(DeviceOptions options) {
    arena = SharedArena.create(HOST_MEMORY + options.gpus().size() * options.memory());
    hostBase = arena.base();
    hostPool = new Pool(arena, new Ranges(hostBase, HOST_MEMORY), "the host");
    for (int i = 0; i < options.gpus().size(); i++) {
      long base = arena.base() + HOST_MEMORY + i * options.memory();
      Gpu gpu =
          new Gpu(
              i,
              options.gpus().get(i),
              options.computeUnits(),
              base,
              options.memory(),
              new Ranges(base, options.memory()));
      gpus.add(gpu);
      pools.add(new Pool(arena, gpu.ranges(), "GPU " + i));
    }
    dispatch = options.dispatch();
    code = new KnownCode(dispatch.engine());
    // A seed determines one order of all waves; where engines are compared, others must rest.
    isSerial =
        dispatch.checks().has(Check.ORDER) || dispatch.engine() instanceof NativeEngine.Compare;
    scheduler = new Scheduler(isSerial ? 1 : options.threads());
  }

  SharedArena arena() {
    return arena;
  }

  long hostBase() {
    return hostBase;
  }

  long hostSize() {
    return HOST_MEMORY;
  }

  List<Gpu> gpus() {
    return gpus;
  }

  Gpu gpu(int index) {
    if (index < 0 || index >= gpus.size()) {
      throw new RequestException(Status.INVALID_VALUE, "no GPU " + index);
    }
    return gpus.get(index);
  }

  Pool pool(int gpu) {
    return pools.get(gpu(gpu).index());
  }

  Pool hostPool() {
    return hostPool;
  }

  DispatchOptions dispatch() {
    return dispatch;
  }

  /**
   * Lets a launch run, a first part of it on the calling thread if waves may run at the same time.
   *
   * @param temporaries the calling thread's
   */
  void start(Launch launch, Temporaries temporaries) {
    if (isSerial) {
      scheduler.start(launch);
    } else {
      scheduler.start(launch, temporaries);
    }
  }

  /** What programs do to memory that they may share. */
  Races races() {
    return races;
  }

  KnownCode code() {
    return code;
  }

  Owners owners() {
    return owners;
  }

  private byte[] handle() {
    byte[] handle = new byte[HANDLE];
    random.nextBytes(handle);
    return handle;
  }

  /** A handle by which other programs can open an allocation. */
  synchronized byte[] share(Allocation allocation) {
    byte[] handle = handle();
    shared.put(HexFormat.of().formatHex(handle), allocation);
    return handle;
  }

  synchronized Allocation shared(byte[] handle) {
    Allocation allocation = shared.get(HexFormat.of().formatHex(handle));
    if (allocation == null) {
      throw new RequestException(Status.INVALID_VALUE, "no allocation has this handle");
    }
    return allocation;
  }

  /** Addresses that no other program has. */
  synchronized long reserve(long size, long align) {
    checkMaps();
    long address =
        addresses
            .take(size, align)
            .orElseThrow(
                () ->
                    new RequestException(
                        Status.OUT_OF_MEMORY, "no address range of " + size + " bytes is free"));
    arena.reserve(address, size);
    maps++;
    return address;
  }

  synchronized void unreserve(long address, long size) {
    arena.unreserve(address, size);
    addresses.give(address);
    maps--;
  }

  /** Puts a part of the arena at reserved addresses. */
  synchronized void map(long address, long size, long from) {
    checkMaps();
    arena.map(address, size, from);
    maps++;
  }

  synchronized void unmap(long address, long size) {
    arena.unmap(address, size);
    maps--;
  }

  /** Maps a page of the arena also in place of another one. */
  synchronized void alias(long page, long of) {
    map(page, PAGE, of);
  }

  /** Undoes {@link #alias}. */
  synchronized void restore(long page) {
    arena.map(page, PAGE, page);
    maps--;
  }

  private void checkMaps() {
    if (maps >= MOST_MAPS) {
      throw new RequestException(
          Status.OUT_OF_MEMORY, "more than " + MOST_MAPS + " mappings of virtual memory");
    }
  }

  /** Memory of a GPU that is accessible nowhere, with one reference. */
  Backing back(int gpu, long size) {
    long base = pool(gpu).take(size, PAGE);
    return new Backing(
        new Allocation(base, size, Allocation.Kind.DEVICE, "memory without an address range"), gpu);
  }

  synchronized void retain(Backing backing) {
    backing.retain();
  }

  synchronized void release(Backing backing) {
    if (backing.release()) {
      exported.values().removeIf(b -> b == backing);
      pool(backing.gpu()).give(backing.allocation());
    }
  }

  /** A handle by which other programs can import memory, as long as somebody holds it. */
  synchronized byte[] export(Backing backing) {
    byte[] handle = handle();
    exported.put(HexFormat.of().formatHex(handle), backing);
    return handle;
  }

  /** Exported memory, with one more reference. */
  synchronized Backing imported(byte[] handle) {
    Backing backing = exported.get(HexFormat.of().formatHex(handle));
    if (backing == null) {
      throw new RequestException(Status.INVALID_VALUE, "no memory has this handle");
    }
    backing.retain();
    return backing;
  }

  synchronized void forgetShared(Allocation allocation) {
    shared.values().removeIf(a -> a == allocation);
  }
}
