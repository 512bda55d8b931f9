package dev.rocport.device.dispatch;

import dev.rocport.device.codeobject.KernelName;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;

/** Words for people on what stopped a kernel, and where. */
final class FaultReport {
  private FaultReport() {}

  static KernelFault of(Launch launch, Wave wave, MemoryFault fault) {
    String known = launch.services().explain(fault.address());
    String more = known.isEmpty() ? "" : "\n  " + known;
    return new KernelFault(
        KernelFault.Kind.MEMORY,
        "memory fault: "
            + fault.getMessage()
            + more
            + "\n"
            + place(launch, wave)
            + lane(launch, wave, fault.lane()),
        fault.address());
  }

  /** A line about an access outside of the LDS that is not a fault. */
  static String outsideLds(Launch launch, Wave wave, MemoryFault access) {
    return """
    rocport: %s
    %s%s
      as on hardware, such loads return 0 and such stores are dropped; with any --check except 'order', they are faults
    """
        .formatted(access.getMessage(), place(launch, wave), lane(launch, wave, access.lane()));
  }

  static KernelFault of(Launch launch, Wave wave, WaveTrap trap) {
    String message = String.valueOf(trap.getMessage());
    return new KernelFault(
        trap.isMissing() ? KernelFault.Kind.UNSUPPORTED : KernelFault.Kind.TRAP,
        message + "\n" + place(launch, wave));
  }

  /** An error of this device itself. */
  static KernelFault broken(Launch launch, Wave wave, Throwable error) {
    StackTraceElement[] trace = error.getStackTrace();
    String where = trace.length > 0 ? " at " + trace[0] : "";
    return new KernelFault(
        KernelFault.Kind.UNSUPPORTED,
        "bug in the device: " + error + where + "\n" + place(launch, wave));
  }

  private static String lane(Launch launch, Wave wave, int lane) {
    if (lane < 0) {
      return "";
    }
    LaunchRequest.Dim3 id = launch.request().block().place(wave.number * wave.lanes + lane);
    return ", lane %d, thread (%d, %d, %d)".formatted(lane, id.x(), id.y(), id.z());
  }

  private static String place(Launch launch, Wave wave) {
    return "  in kernel %s, block (%d, %d, %d), wave %d, %s"
        .formatted(
            KernelName.readable(launch.kernel().name()),
            wave.group.x(),
            wave.group.y(),
            wave.group.z(),
            wave.number,
            counter(launch, wave));
  }

  /** Returns the position of a wave: its program counter, and the source line if it is known. */
  static String counter(Launch launch, Wave wave) {
    // The program counter has advanced: the instruction is before it.
    long pc = wave.code.address(wave.pc) - launch.code().base();
    String source = launch.sourceLines().describe(pc - 1);
    return "before pc 0x%x%s".formatted(pc, source.isEmpty() ? "" : ", at " + source);
  }
}
