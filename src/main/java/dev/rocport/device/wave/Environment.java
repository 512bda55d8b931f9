package dev.rocport.device.wave;

import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.MemoryFault.Access;
import java.util.function.Supplier;

/** The state of the running kernel and its GPU that a wave sees. One per launch. */
public interface Environment {
  Target target();

  /** The lanes of its waves. */
  default int lanes() {
    return target().lanes();
  }

  /** Global memory, as this kernel may use it. */
  AddressSpace memory();

  /** s_sendmsg: a message to the host, such as a request in the hostcall buffer. */
  void message(Wave wave, int message);

  /**
   * Tells of an access outside the LDS of a workgroup. If this returns, loads give 0, and stores
   * and atomics do nothing, as in hardware.
   *
   * @param offset where in the LDS the access would begin
   * @param fault makes the fault
   * @throws MemoryFault if such accesses are faults
   */
  default void outsideLds(Wave wave, Access access, long offset, Supplier<MemoryFault> fault) {
    throw fault.get();
  }

  /** s_memrealtime: ticks of 100 MHz. */
  long realTime();

  /** The number of workgroups of the launch that have to meet at a grid-wide barrier. */
  int workgroups();
}
