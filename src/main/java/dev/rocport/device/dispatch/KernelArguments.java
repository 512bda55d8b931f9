package dev.rocport.device.dispatch;

import dev.rocport.device.codeobject.Argument;
import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.memory.Memory;

/**
 * The memory that a kernel finds its arguments in: explicit ones as the program passed them, hidden
 * ones by what they are, then the dispatch packet and queue. Source: LLVM's AMDGPUUsage, "Kernel
 * Argument Metadata" and "AQL packet", HSA's "Kernel dispatch packet".
 *
 * @param address of the arguments
 * @param packet address of the dispatch packet
 * @param queue address of the queue
 */
record KernelArguments(long address, long packet, long queue) {
  private static final int PACKET_SIZE = 64;

  /** The queue structure; only its first bytes are read by kernels. */
  private static final int QUEUE_SIZE = 256;

  /** What a grid-wide barrier keeps; only cooperative launches have it. */
  private static final int GRID_SYNC_SIZE = 64;

  private static final int GRID_SYNC_BARRIER = 0;
  private static final int GRID_SYNC_NUMBER = 8;
  private static final int GRID_SYNC_GRIDS = 12;
  private static final int GRID_SYNC_THREADS_BEFORE = 16;
  private static final int GRID_SYNC_THREADS = 24;
  private static final int GRID_SYNC_GROUPS = 40;

  /** Where the grid has no barrier in hardware: arrivals in the low half, generations above. */
  private static final int GRID_SYNC_ARRIVED = 32;

  private static final int LARGEST = 1 << 20;

  /** Bytes that {@link #write} needs. */
  static int size(KernelInfo kernel) {
    int size = kernel.argumentBytes();
    if (size < 0 || size > LARGEST) {
      throw new IllegalArgumentException(
          "kernel " + kernel.name() + " declares an impossible argument layout");
    }
    return (size + 63 & ~63) + PACKET_SIZE + QUEUE_SIZE + GRID_SYNC_SIZE;
  }

  static KernelArguments write(long at, LaunchRequest request, HostServices services) {
    KernelInfo kernel = request.code().object().kernels().get(request.kernel());
    int size = kernel.argumentBytes() + 63 & ~63;
    Memory.fill(at, size(kernel), (byte) 0);
    Memory.copy(
        request.arguments(), 0, at, Math.min(request.arguments().length, kernel.argumentBytes()));
    KernelArguments arguments = new KernelArguments(at, at + size, at + size + PACKET_SIZE);
    for (Argument a : kernel.arguments()) {
      if (a.isHidden()) {
        store(at + a.offset(), a.size(), arguments.hidden(a, request, services));
      }
    }
    arguments.writePacket(request, kernel);
    return arguments;
  }

  private long hidden(Argument a, LaunchRequest r, HostServices services) {
    return switch (a.kind()) {
      case "hidden_block_count_x" -> r.grid().x();
      case "hidden_block_count_y" -> r.grid().y();
      case "hidden_block_count_z" -> r.grid().z();
      case "hidden_group_size_x" -> r.block().x();
      case "hidden_group_size_y" -> r.block().y();
      case "hidden_group_size_z" -> r.block().z();
      case "hidden_grid_dims" -> dimensions(r);
      case "hidden_dynamic_lds_size" -> r.dynamicLds();
      case "hidden_queue_ptr" -> queue;
      case "hidden_hostcall_buffer" -> services.hostcallBuffer();
      case "hidden_printf_buffer" -> services.printBuffer(r.code().object().formats());
      case "hidden_heap_v1" -> services.heap();
      case "hidden_multigrid_sync_arg" -> r.cooperative() ? gridSync(r) : 0;
      // Remainders and global offsets are zero: HIP launches whole blocks from the origin.
      default -> 0;
    };
  }

  /** Source: the layout that the grid functions of ROCm's device libraries read. */
  private long gridSync(LaunchRequest r) {
    long at = queue + QUEUE_SIZE;
    LaunchRequest.Part part = r.part();
    if (part == null) {
      part = new LaunchRequest.Part(0, 0, 1, 0, r.grid().count() * r.block().count());
    }
    Memory.storeLong(at + GRID_SYNC_BARRIER, part.barrier());
    Memory.storeInt(at + GRID_SYNC_NUMBER, part.number());
    Memory.storeInt(at + GRID_SYNC_GRIDS, part.count());
    Memory.storeLong(at + GRID_SYNC_THREADS_BEFORE, part.threadsBefore());
    Memory.storeLong(at + GRID_SYNC_THREADS, part.threads());
    Memory.storeInt(at + GRID_SYNC_GROUPS, (int) r.grid().count());
    return at;
  }

  /** Workgroups that wait at a grid-wide barrier made of memory. */
  int arrivedAtGridBarrier() {
    return Memory.loadInt(gridBarrier()) & 0xffff;
  }

  /** The address by which that barrier counts. */
  long gridBarrier() {
    return queue + QUEUE_SIZE + GRID_SYNC_ARRIVED;
  }

  private static int dimensions(LaunchRequest r) {
    if (r.grid().z() > 1 || r.block().z() > 1) {
      return 3;
    }
    return r.grid().y() > 1 || r.block().y() > 1 ? 2 : 1;
  }

  private static void store(long at, int size, long value) {
    switch (size) {
      case 1 -> Memory.storeByte(at, (byte) value);
      case 2 -> Memory.storeShort(at, (short) value);
      case 4 -> Memory.storeInt(at, (int) value);
      default -> Memory.storeLong(at, value);
    }
  }

  private void writePacket(LaunchRequest r, KernelInfo kernel) {
    Memory.storeShort(packet, (short) 2);
    Memory.storeShort(packet + 2, (short) dimensions(r));
    Memory.storeShort(packet + 4, (short) r.block().x());
    Memory.storeShort(packet + 6, (short) r.block().y());
    Memory.storeShort(packet + 8, (short) r.block().z());
    Memory.storeInt(packet + 12, r.grid().x() * r.block().x());
    Memory.storeInt(packet + 16, r.grid().y() * r.block().y());
    Memory.storeInt(packet + 20, r.grid().z() * r.block().z());
    Memory.storeInt(packet + 24, kernel.descriptor().scratchPerLane());
    Memory.storeInt(packet + 28, kernel.descriptor().ldsSize() + r.dynamicLds());
    Memory.storeLong(packet + 32, r.code().base() + kernel.descriptorAddress());
    Memory.storeLong(packet + 40, address);
  }
}
