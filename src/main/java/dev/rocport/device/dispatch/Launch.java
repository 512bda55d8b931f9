package dev.rocport.device.dispatch;

import dev.rocport.device.check.Check;
import dev.rocport.device.check.ConcurrentCopy;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.check.Site;
import dev.rocport.device.check.VectorClock;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.codeobject.KernelName;
import dev.rocport.device.codeobject.SourceLines;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Environment;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Traffic;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running kernel, from its request until its last wave ends. One class, because its workgroups,
 * its fault, and its grid barrier change under one lock.
 */
public final class Launch implements Environment, LaunchView {
  private static final AtomicLong NUMBERS = new AtomicLong();

  /** More workgroups than it takes no time to run. */
  private static final long MANY = 1 << 20;

  private final long id = NUMBERS.incrementAndGet();
  private final LaunchRequest request;
  private final KernelInfo kernel;
  private final Gpu gpu;
  private final AddressSpace memory;
  private final HostServices services;
  private final Allocation block;
  private final KernelArguments arguments;
  private final long groups;
  private final int resident;
  private final CountDownLatch done = new CountDownLatch(1);
  private final AtomicLong nextGroup = new AtomicLong();
  private final AtomicLong endedGroups = new AtomicLong();
  private final LaunchCounts counts = new LaunchCounts();
  private final DispatchOptions options;
  private final LaunchWatch watch;
  private final WaveSnapshots snapshots = new WaveSnapshots();
  private volatile long lastProgress = System.nanoTime();
  private volatile @Nullable KernelFault fault;
  private int atBarrier;
  private volatile int barrierGeneration;

  /** Workgroups whose waves all wait for this generation of the grid's barrier. */
  private int stuck;

  private boolean finished;
  private @Nullable SourceLines sourceLines;

  /**
   * Prepares a launch whose extents are possible.
   *
   * @throws OutOfMemoryError where the GPU has no room for the arguments
   */
  public Launch(
      LaunchRequest request,
      Gpu gpu,
      AddressSpace memory,
      HostServices services,
      DispatchOptions options,
      Watching watching) {
    this.request = request;
    this.options = options;
    this.kernel = request.code().object().kernels().get(request.kernel());
    this.gpu = gpu;
    this.memory = memory;
    this.services = services;
    this.groups = request.grid().count();
    int bytes = KernelArguments.size(kernel);
    OptionalLong at = gpu.ranges().take(bytes, 256);
    if (at.isEmpty()) {
      throw new OutOfMemoryError("no memory for the arguments of " + kernel.name());
    }
    this.block =
        new Allocation(
            at.getAsLong(), bytes, Allocation.Kind.INTERNAL, "arguments of " + kernel.name());
    memory.add(block);
    this.arguments = KernelArguments.write(at.getAsLong(), request, services);
    this.resident =
        Math.max(
            1,
            gpu.computeUnits()
                * gpu.occupancy(
                    kernel.descriptor().vgprs(gpu.target()),
                    lds(),
                    (int) request.block().count(),
                    lanes()));
    this.watch = watching.launch(this);
    if (groups > MANY && !request.cooperative()) {
      long entry = request.code().base() + kernel.entry();
      int each = EmptyKernel.instructions(request.code().code(), entry);
      if (each > 0) {
        skipAllButTheLast(each);
      }
    }
  }

  /**
   * Counts all workgroups but one of an empty kernel as ended.
   *
   * @param each instructions of a wave
   */
  private void skipAllButTheLast(int each) {
    long skipped = groups - 1;
    long skippedWaves = skipped * Workgroup.waves(this);
    nextGroup.set(skipped);
    endedGroups.set(skipped);
    counts.ran(skippedWaves, skippedWaves * each);
  }

  @Override
  public long id() {
    return id;
  }

  /** What the checks see of it. */
  LaunchWatch watch() {
    return watch;
  }

  LaunchRequest request() {
    return request;
  }

  @Override
  public int gpuIndex() {
    return gpu.index();
  }

  @Override
  public int threads() {
    return (int) request.block().count();
  }

  @Override
  public long groups() {
    return groups;
  }

  @Override
  public int gridX() {
    return request.grid().x();
  }

  @Override
  public int gridY() {
    return request.grid().y();
  }

  @Override
  public @Nullable VectorClock clock() {
    return request.clock();
  }

  @Override
  public List<ConcurrentCopy> concurrent() {
    return request.concurrent();
  }

  @Override
  public int residentGroups() {
    return resident;
  }

  @Override
  public boolean isCooperative() {
    return request.cooperative();
  }

  @Override
  public long gridBarrier() {
    return request.cooperative() ? arguments.gridBarrier() : 0;
  }

  @Override
  public Site site(String role, int pc, Group group, int wave, long lanes) {
    return Sites.of(this, role, pc, group, wave, lanes);
  }

  @Override
  public KernelInfo kernel() {
    return kernel;
  }

  @Override
  public CodeObject codeObject() {
    return code().object();
  }

  Gpu gpu() {
    return gpu;
  }

  LoadedCode code() {
    return request.code();
  }

  KernelArguments arguments() {
    return arguments;
  }

  int lds() {
    // LDS consists of words: an atomic operation on 16 bits is one on the word around them.
    return (kernel.descriptor().ldsSize() + request.dynamicLds() + 3) & -4;
  }

  /** Workgroups that the GPU can hold at once. */
  int resident() {
    return resident;
  }

  /** The number of the next workgroup that was not started yet, or -1. */
  synchronized long takeGroup() {
    if (fault != null || nextGroup.get() >= groups) {
      return -1;
    }
    progress();
    return nextGroup.getAndIncrement();
  }

  boolean hasMoreGroups() {
    return fault == null && nextGroup.get() < groups;
  }

  /** Workgroups that have started and not ended. */
  long liveGroups() {
    return nextGroup.get() - endedGroups.get();
  }

  long endedGroups() {
    return endedGroups.get();
  }

  /** A workgroup has ended, or was given up. */
  void groupEnded(long ranInstructions, int ranWaves) {
    counts.ran(ranWaves, ranInstructions);
    endedGroups.incrementAndGet();
    progress();
    stopIfAllAreStuck();
    finishIfDone();
  }

  /** Adds what a workgroup has done to memory; before it ends. */
  void moved(Traffic traffic) {
    counts.moved(traffic);
  }

  /** Records progress for the stall watchdog. */
  void progress() {
    lastProgress = System.nanoTime();
  }

  /** Stops the kernel; the first reason counts. */
  public void stop(KernelFault reason) {
    synchronized (this) {
      if (fault == null) {
        fault = reason;
      }
    }
    finishIfDone();
  }

  /**
   * Stops the kernel if it cannot continue, or has made no progress for longer than allowed. Must
   * be called periodically.
   */
  public void stopIfStalled() {
    if (isDone() || isStopped()) {
      return;
    }
    if (request.cooperative() && !hasMoreGroups()) {
      // All that still live have arrived, and those that have ended never will.
      int arrived = arguments.arrivedAtGridBarrier();
      if (arrived > 0 && endedGroups.get() > 0 && arrived == liveGroups()) {
        stop(hangs(arrived));
      }
    }
    long limit = options.timeout().toNanos();
    if (limit > 0 && System.nanoTime() - lastProgress > limit) {
      stop(
          new KernelFault(
              KernelFault.Kind.STALLED,
              "kernel %s has made no progress for %s seconds: no block or wave of it started or ended"
                  .formatted(
                      KernelName.readable(kernel.name()), options.timeout().toMillis() / 1000.0)));
    }
  }

  void finishIfDone() {
    synchronized (this) {
      boolean all = fault != null || nextGroup.get() == groups;
      if (!all || endedGroups.get() < nextGroup.get() || finished) {
        return;
      }
      finished = true;
    }
    memory.remove(block);
    gpu.ranges().give(block.base());
    watch.ended();
    if (options.trace().kernels()) {
      services.tell(counts.summary(gpu, kernel, request));
    }
    services.ended();
    done.countDown();
  }

  boolean isStopped() {
    return fault != null;
  }

  @Override
  public void stall(String why) {
    stop(
        new KernelFault(
            KernelFault.Kind.STALLED,
            "kernel %s hangs: %s".formatted(KernelName.readable(kernel.name()), why)));
  }

  @Override
  public boolean isStalled() {
    KernelFault reason = fault;
    return reason != null && reason.kind() == KernelFault.Kind.STALLED;
  }

  /** Waits until it has ended. */
  public void await() throws InterruptedException {
    done.await();
  }

  public boolean isDone() {
    return done.getCount() == 0;
  }

  /** Why it was stopped, or null. Complete once it has ended. */
  public @Nullable KernelFault fault() {
    KernelFault reason = fault;
    return reason != null && reason.kind() == KernelFault.Kind.STALLED
        ? new KernelFault(reason.kind(), reason.message() + snapshots)
        : reason;
  }

  public long instructions() {
    return counts.instructions();
  }

  public long waves() {
    return counts.waves();
  }

  /** A workgroup has reached a grid-wide barrier. */
  synchronized void arriveAtGridBarrier() {
    if (++atBarrier == groups) {
      atBarrier = 0;
      stuck = 0;
      barrierGeneration++;
      progress();
    }
  }

  /**
   * All waves of a workgroup that have not ended wait, and only the grid's barrier can free them.
   * Where that holds for all workgroups and none can come any more, nothing will.
   *
   * @param generation of the barrier that they wait at
   */
  void stuck(int generation) {
    synchronized (this) {
      if (generation == barrierGeneration) {
        stuck++;
      }
    }
    stopIfAllAreStuck();
  }

  private void stopIfAllAreStuck() {
    int waiting;
    synchronized (this) {
      waiting = stuck;
      if (waiting == 0 || waiting < liveGroups() || (hasMoreGroups() && liveGroups() < resident)) {
        return;
      }
    }
    stop(hangs(waiting));
  }

  private KernelFault hangs(int waiting) {
    return new KernelFault(
        KernelFault.Kind.STALLED,
        "kernel %s hangs: %d of %d blocks wait at a barrier that the other blocks never reach"
            .formatted(KernelName.readable(kernel.name()), waiting, groups));
  }

  int barrierGeneration() {
    return barrierGeneration;
  }

  @Override
  public Target target() {
    return gpu.target();
  }

  @Override
  public int lanes() {
    return code().object().lanes();
  }

  @Override
  public AddressSpace memory() {
    return memory;
  }

  @Override
  public void message(Wave wave, int message) {
    services.serve();
  }

  /** Answers what its waves have asked the host and was not answered yet. */
  public void answer() {
    try {
      services.serve();
    } catch (WaveTrap e) {
      stop(new KernelFault(KernelFault.Kind.TRAP, String.valueOf(e.getMessage())));
    }
  }

  HostServices services() {
    return services;
  }

  WaveSnapshots snapshots() {
    return snapshots;
  }

  synchronized SourceLines sourceLines() {
    if (sourceLines == null) {
      sourceLines = SourceLines.of(code().object());
    }
    return sourceLines;
  }

  DispatchOptions options() {
    return options;
  }

  @Override
  public void outsideLds(Wave wave, Access access, long offset, Supplier<MemoryFault> fault) {
    // The order of accesses says nothing about bounds, and verifications check it by default.
    if (options.checks().on().stream().anyMatch(c -> c != Check.ORDER)) {
      throw fault.get();
    }
    // Assembled kernels load from where no LDS is, in order to get zeros.
    if (access != Access.LOAD || offset < gpu.target().lds() || offset > Integer.MAX_VALUE) {
      services.tellOnce(kernel.name(), () -> FaultReport.outsideLds(this, wave, fault.get()));
    }
  }

  @Override
  public long realTime() {
    return System.nanoTime() / 10;
  }

  @Override
  public int workgroups() {
    return Math.toIntExact(groups);
  }
}
