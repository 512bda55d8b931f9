package dev.rocport.device.server;

import dev.rocport.device.dispatch.DispatchOptions;
import dev.rocport.device.dispatch.Gpu;
import dev.rocport.device.dispatch.Scheduler;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.Ranges;
import dev.rocport.device.memory.SharedArena;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The GPUs, their memory, and what programs share of it. */
final class Device {
  private static final long HOST_MEMORY = 64L << 30;

  /** Bytes of a handle, as HIP has it. */
  static final int HANDLE = 64;

  private final SharedArena arena;
  private final List<Gpu> gpus = new ArrayList<>();
  private final List<Pool> pools = new ArrayList<>();
  private final Pool hostPool;
  private final long hostBase;
  private final Scheduler scheduler;
  private final DispatchOptions dispatch;
  private final Owners owners = new Owners();
  private final Map<String, Allocation> shared = new HashMap<>();
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
    scheduler = new Scheduler(options.threads());
    dispatch = options.dispatch();
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

  Owners owners() {
    return owners;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** A handle by which other programs can open an allocation. */
  synchronized byte[] share(Allocation allocation) {
    byte[] handle = new byte[HANDLE];
    random.nextBytes(handle);
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

  synchronized void forgetShared(Allocation allocation) {
    shared.values().removeIf(a -> a == allocation);
  }
}
