package dev.rocport.device.server;

import dev.rocport.device.check.Checks;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.dispatch.DispatchOptions;
import dev.rocport.device.dispatch.Gpu;
import dev.rocport.device.dispatch.KernelFault;
import dev.rocport.device.dispatch.Launch;
import dev.rocport.device.dispatch.LaunchRequest;
import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One program, from its HELLO until its control connection ends: what it holds, and what it may
 * touch.
 */
final class Session {
  private static final int PAGE = 4096;

  private record Held(Allocation allocation, Place place) {
    int gpu() {
      return place.gpu();
    }
  }

  /**
   * Where an allocation is.
   *
   * @param gpu the number of its GPU; -1 is the host
   * @param most bytes that an allocation at its address can have
   */
  private record Place(Pool pool, int gpu, long most) {}

  private record Module(LoadedCode code, Allocation allocation, int gpu) {}

  private final long id;
  private final String program;
  private final Device device;
  private final List<Integer> visible;
  private final List<AddressSpace> spaces = new ArrayList<>();
  private final List<Hostcalls> hostcalls = new ArrayList<>();
  private final Map<Long, Held> held = new HashMap<>();

  /** Freed memory whose addresses no other allocation gets. */
  private final Map<Long, Held> kept = new HashMap<>();

  /** Pages of pinned memory in place of which others are mapped, and which ones. */
  private final Map<Long, Long> aliases = new HashMap<>();

  private final Map<Long, Module> modules = new HashMap<>();
  private final Map<Long, Allocation> opened = new HashMap<>();
  private final List<Set<Integer>> peers = new ArrayList<>();
  private final Set<Launch> running = new HashSet<>();
  private final VirtualMemory virtual;
  private final DispatchOptions dispatch;
  private final Watcher watcher;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private long lastModule;
  private int allocations;
  private long launches;
  private boolean closed;

  /**
   * A program that has just said HELLO.
   *
   * @param visible the device's numbers of the GPUs that it sees, in its own order
   * @param checks those of the device, with the program's own seed
   */
  Session(long id, String program, Device device, List<Integer> visible, Checks checks) {
    this.id = id;
    this.program = program;
    this.device = device;
    this.visible = List.copyOf(visible);
    this.dispatch = device.dispatch().with(checks);
    this.watcher = new Watcher(checks, device.races());
    for (Gpu gpu : device.gpus()) {
      AddressSpace space = new AddressSpace();
      spaces.add(space);
      peers.add(new HashSet<>());
      hostcalls.add(new Hostcalls(device, gpu, space));
    }
    virtual = new VirtualMemory(device, spaces);
  }

  long id() {
    return id;
  }

  List<Integer> visible() {
    return visible;
  }

  /** The program's number of one of the device's GPUs; -1 for one that it does not see. */
  int ordinal(int gpu) {
    return visible.indexOf(gpu);
  }

  VirtualMemory virtual() {
    return virtual;
  }

  Checks checks() {
    return dispatch.checks();
  }

  Watcher watcher() {
    return watcher;
  }

  String program() {
    return program;
  }

  synchronized long allocate(int gpu, int kind, long size, long align) {
    checkOpen();
    Gpu on = device.gpu(gpu);
    boolean host = kind == 1 || kind == 2;
    if (kind < 0 || kind > 3 || size < 0 || align < 0 || Long.bitCount(align) > 1) {
      throw new RequestException(
          Status.BAD_REQUEST, "an allocation of kind " + kind + " and " + size + " bytes");
    }
    Pool pool = host ? device.hostPool() : device.pool(gpu);
    Allocation.Kind as =
        switch (kind) {
          case 1 -> Allocation.Kind.HOST;
          case 2 -> Allocation.Kind.MANAGED;
          case 3 -> Allocation.Kind.FINE;
          default -> Allocation.Kind.DEVICE;
        };
    long address = pool.take(size, Math.max(align, size >= PAGE ? PAGE : 256));
    if (kind == 1) {
      // Pinned memory is zero in ROCm, as all pages that a process gets from Linux.
      pool.clear(address, size);
    }
    hold(address, size, as, new Place(pool, host ? -1 : on.index(), size));
    return address;
  }

  private void hold(long address, long size, Allocation.Kind kind, Place place) {
    allocations++;
    Allocation allocation =
        new Allocation(
            address,
            size,
            kind,
            kind.name().toLowerCase(java.util.Locale.ROOT) + " allocation #" + allocations);
    held.put(address, new Held(allocation, place));
    device.owners().add(this, allocation, place.gpu());
    watcher.allocated(allocation, place.gpu());
    if (kind == Allocation.Kind.FINE) {
      watcher.reachable(allocation);
    }
    show(allocation, place.gpu());
  }

  /** Makes an allocation accessible from the GPUs that may use it; gpu -1 is the host. */
  private void show(Allocation allocation, int gpu) {
    for (int g = 0; g < spaces.size(); g++) {
      if (gpu < 0 || gpu == g || peers.get(g).contains(gpu)) {
        spaces.get(g).add(allocation);
      }
    }
  }

  /**
   * Maps a page of pinned memory also in place of another page, until the memory of either is
   * freed.
   */
  synchronized void alias(long page, long of) {
    checkOpen();
    if (!pinned(page)
        || !pinned(of)
        || page == of
        || aliases.containsKey(of)
        || aliases.containsKey(page)) {
      throw new RequestException(
          Status.INVALID_VALUE, "page 0x%x cannot also be mapped at 0x%x".formatted(of, page));
    }
    device.alias(page, of);
    aliases.put(page, of);
  }

  private void endAliases(Allocation gone) {
    aliases
        .entrySet()
        .removeIf(
            e -> {
              boolean ends = isIn(gone, e.getKey()) || isIn(gone, e.getValue());
              if (ends) {
                device.restore(e.getKey());
              }
              return ends;
            });
  }

  private static boolean isIn(Allocation allocation, long address) {
    return address >= allocation.base() && address < allocation.end();
  }

  private boolean pinned(long page) {
    Allocation allocation = holding(page);
    return (page & PAGE - 1) == 0
        && allocation != null
        && allocation.kind() == Allocation.Kind.HOST
        && allocation.holds(page, PAGE);
  }

  synchronized void free(long address) {
    Held idle = kept.remove(address);
    Held gone = idle == null ? end(address) : idle;
    gone.place().pool().give(address, gone.place().most());
  }

  /** Frees memory as {@link #free}, but no other allocation gets its addresses. */
  synchronized void keep(long address) {
    Held gone = end(address);
    kept.put(address, gone);
    gone.place().pool().drop(gone.allocation());
  }

  /** Frees memory, unless it is kept, and makes a new allocation at its address. */
  synchronized void reuse(long address, long size) {
    checkOpen();
    Held idle = kept.get(address);
    Held old = idle == null ? held(address) : idle;
    if (size < 1 || size > old.place().most()) {
      throw new RequestException(
          Status.BAD_REQUEST, "%d bytes in place of %s".formatted(size, old.allocation()));
    }
    if (idle == null) {
      end(address);
    }
    kept.remove(address);
    hold(address, size, old.allocation().kind(), old.place());
  }

  private Held held(long address) {
    Held found = held.get(address);
    if (found == null) {
      throw new RequestException(
          Status.INVALID_VALUE, "0x%x is not an allocation of this program".formatted(address));
    }
    return found;
  }

  /** Makes an allocation inaccessible. */
  private Held end(long address) {
    Held gone = held(address);
    held.remove(address);
    device.owners().remove(gone.allocation());
    spaces.forEach(s -> s.remove(gone.allocation()));
    device.forgetShared(gone.allocation());
    watcher.freed(gone.allocation());
    endAliases(gone.allocation());
    return gone;
  }

  synchronized long load(int gpu, byte[] image) {
    checkOpen();
    Gpu on = device.gpu(gpu);
    CodeObject object;
    try {
      object = ModuleImage.read(image, on, !watcher.checkers().isEmpty());
    } catch (RequestException e) {
      watcher.refused();
      throw e;
    }
    Pool pool = device.pool(gpu);
    // Whole pages, as ROCm maps them: scalar loads of constants may read up to a power of two.
    long size = object.loadedSize() + PAGE - 1 & -PAGE;
    long base = pool.take(size, PAGE);
    Allocation allocation =
        new Allocation(
            base,
            size,
            Allocation.Kind.CODE,
            "code object #" + (lastModule + 1),
            LoadedCode.readOnly(object, base, size));
    LoadedCode loaded;
    try {
      loaded = LoadedCode.load(object, base, watcher.checkers(), device.code());
    } catch (RuntimeException | Error e) {
      pool.give(allocation);
      throw e;
    }
    watcher.loaded(object, image);
    spaces.get(gpu).add(allocation);
    device.owners().add(this, allocation, gpu);
    modules.put(++lastModule, new Module(loaded, allocation, gpu));
    return lastModule;
  }

  synchronized void unload(long number) {
    Module gone = modules.remove(number);
    if (gone == null) {
      throw new RequestException(Status.INVALID_VALUE, "no module " + number);
    }
    spaces.get(gone.gpu()).remove(gone.allocation());
    device.owners().remove(gone.allocation());
    watcher.freed(gone.allocation());
    device.pool(gone.gpu()).give(gone.allocation());
  }

  synchronized LoadedCode code(long number) {
    return module(number).code();
  }

  private Module module(long number) {
    Module module = modules.get(number);
    if (module == null) {
      throw new RequestException(Status.INVALID_VALUE, "no module " + number);
    }
    return module;
  }

  synchronized int occupancy(long number, int kernel, int threads, int dynamicLds) {
    KernelInfo info = kernel(module(number).code(), kernel);
    if (threads < 1 || threads > Math.min(info.maxThreads(), Gpu.MAX_THREADS)) {
      return 0;
    }
    long lds = (long) info.descriptor().ldsSize() + dynamicLds;
    Gpu gpu = device.gpu(module(number).gpu());
    return lds < 0 || lds > gpu.target().lds()
        ? 0
        : gpu.occupancy(
            info.descriptor().vgprs(gpu.target()),
            (int) lds,
            threads,
            module(number).code().object().lanes());
  }

  private static KernelInfo kernel(LoadedCode code, int index) {
    if (index < 0 || index >= code.object().kernels().size()) {
      throw new RequestException(Status.INVALID_VALUE, "no kernel " + index);
    }
    return code.object().kernels().get(index);
  }

  /** Starts a kernel of a module. */
  synchronized Launch launch(long number, LaunchRequest request, OutputQueue output) {
    checkOpen();
    Module module = module(number);
    KernelInfo info = kernel(module.code(), request.kernel());
    Gpu gpu = device.gpu(module.gpu());
    Limits.check(
        info,
        module.code().object().lanes(),
        gpu,
        request.grid(),
        request.block(),
        request.dynamicLds(),
        request.cooperative());
    AddressSpace space = spaces.get(module.gpu());
    LaunchServices services =
        new LaunchServices(
            hostcalls.get(module.gpu()),
            output,
            address -> device.owners().explain(this, module.gpu(), address),
            watcher,
            told);
    Launch launch;
    try {
      launch =
          new Launch(
              request, gpu, space, services, dispatch.ofLaunch(++launches), watcher.watching());
    } catch (OutOfMemoryError e) {
      services.ended();
      throw new RequestException(Status.OUT_OF_MEMORY, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      services.ended();
      throw e;
    }
    running.add(launch);
    return launch;
  }

  synchronized void ended(Launch launch) {
    running.remove(launch);
  }

  synchronized void peer(int gpu, int peer, boolean on) {
    device.gpu(gpu);
    device.gpu(peer);
    if (gpu == peer || on == peers.get(gpu).contains(peer)) {
      return;
    }
    AddressSpace space = spaces.get(gpu);
    held.values().stream()
        .filter(h -> h.gpu() == peer)
        .forEach(
            h -> {
              if (on) {
                space.add(h.allocation());
              } else {
                space.hide(h.allocation());
              }
            });
    if (on) {
      peers.get(gpu).add(peer);
    } else {
      peers.get(gpu).remove(peer);
    }
  }

  synchronized @Nullable Allocation holding(long address) {
    return held.values().stream()
        .map(Held::allocation)
        .filter(a -> a.holds(address, 0))
        .findFirst()
        .orElse(null);
  }

  /** Makes an allocation of another program accessible. */
  synchronized void open(Allocation allocation, int gpu) {
    checkOpen();
    if (opened.putIfAbsent(allocation.base(), allocation) == null
        && !held.containsKey(allocation.base())) {
      spaces.get(gpu).add(allocation);
    }
  }

  synchronized void closeShared(long address) {
    Allocation gone = opened.remove(address);
    if (gone == null) {
      throw new RequestException(
          Status.INVALID_VALUE, "0x%x is not memory that this program opened".formatted(address));
    }
    if (!held.containsKey(address)) {
      spaces.forEach(s -> s.hide(gone));
    }
  }

  /** Stops what runs and frees everything. */
  void close() {
    List<Launch> toStop;
    synchronized (this) {
      closed = true;
      toStop = List.copyOf(running);
    }
    toStop.forEach(
        l -> l.stop(new KernelFault(KernelFault.Kind.CANCELLED, "its program has ended")));
    for (Launch launch : toStop) {
      try {
        launch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    synchronized (this) {
      virtual.close();
      List.copyOf(held.keySet()).forEach(this::free);
      List.copyOf(kept.keySet()).forEach(this::free);
      List.copyOf(modules.keySet()).forEach(this::unload);
      hostcalls.forEach(Hostcalls::close);
      watcher.ended();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new RequestException(Status.BAD_REQUEST, "this program has disconnected");
    }
  }
}
