package dev.rocport.device.dispatch;

import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.wave.Environment;
import dev.rocport.device.wave.Wave;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A kernel that runs, from its request until the last wave has ended. */
public final class Launch implements Environment {
  private static final AtomicLong NUMBERS = new AtomicLong();

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
  private final LongAdder instructions = new LongAdder();
  private final LongAdder waves = new LongAdder();
  private volatile @Nullable KernelFault fault;
  private int atBarrier;
  private volatile int barrierGeneration;

  /**
   * Prepares a launch that {@link Limits} has approved.
   *
   * @throws OutOfMemoryError where the GPU has no room for the arguments
   */
  public Launch(LaunchRequest request, Gpu gpu, AddressSpace memory, HostServices services) {
    this.request = request;
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
                * Gpu.occupancy(kernel.descriptor().vgprs(), lds(), (int) request.block().count()));
  }

  long id() {
    return id;
  }

  LaunchRequest request() {
    return request;
  }

  KernelInfo kernel() {
    return kernel;
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
    return kernel.descriptor().ldsSize() + request.dynamicLds();
  }

  /** Workgroups that the GPU can hold at once. */
  int resident() {
    return resident;
  }

  /** The number of the next workgroup that was not started yet, or -1. */
  long takeGroup() {
    if (fault != null) {
      return -1;
    }
    long next = nextGroup.getAndIncrement();
    return next < groups ? next : -1;
  }

  boolean hasMoreGroups() {
    return fault == null && nextGroup.get() < groups;
  }

  /** Workgroups that have started and not ended. */
  long liveGroups() {
    return Math.min(nextGroup.get(), groups) - endedGroups.get();
  }

  /** A workgroup has ended, or was given up. */
  void groupEnded(long ranInstructions, int ranWaves) {
    instructions.add(ranInstructions);
    waves.add(ranWaves);
    endedGroups.incrementAndGet();
    finishIfDone();
  }

  /** Stops the kernel; the first reason counts. */
  public synchronized void stop(KernelFault reason) {
    if (fault == null) {
      fault = reason;
    }
  }

  void finishIfDone() {
    long ended = endedGroups.get();
    boolean last = fault == null ? ended == groups : ended >= Math.min(nextGroup.get(), groups);
    if (last) {
      synchronized (this) {
        if (done.getCount() > 0) {
          memory.remove(block);
          gpu.ranges().give(block.base());
          done.countDown();
        }
      }
    }
  }

  boolean isStopped() {
    return fault != null;
  }

  /** Waits until it has ended. */
  public void await() throws InterruptedException {
    done.await();
  }

  public boolean isDone() {
    return done.getCount() == 0;
  }

  /** Why it was stopped, or null. */
  public @Nullable KernelFault fault() {
    return fault;
  }

  public long instructions() {
    return instructions.sum();
  }

  public long waves() {
    return waves.sum();
  }

  /** A workgroup has come to a grid-wide barrier. */
  synchronized void arriveAtGridBarrier() {
    if (++atBarrier == groups) {
      atBarrier = 0;
      barrierGeneration++;
    }
  }

  int barrierGeneration() {
    return barrierGeneration;
  }

  @Override
  public Target target() {
    return gpu.target();
  }

  @Override
  public AddressSpace memory() {
    return memory;
  }

  @Override
  public void message(Wave wave, int message) {
    services.serve();
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
