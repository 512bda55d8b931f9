package dev.rocport.device.wave;

import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;

/** What a wave sees of the kernel that runs and of the GPU around it. One a launch. */
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
