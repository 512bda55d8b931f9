package dev.rocport.device.wave;

import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;

/** The state of the running kernel and its GPU that a wave sees. One per launch. */
public interface Environment {
  Target target();

  /** Global memory, as this kernel may use it. */
  AddressSpace memory();

  /** s_sendmsg: a message to the host, such as a request in the hostcall buffer. */
  void message(Wave wave, int message);

  /** s_memrealtime: ticks of 100 MHz. */
  long realTime();

  /** The number of workgroups of the launch that have to meet at a grid-wide barrier. */
  int workgroups();
}
