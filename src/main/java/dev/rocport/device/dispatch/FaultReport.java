package dev.rocport.device.dispatch;

import dev.rocport.device.codeobject.SourceLines;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;

/** Words for people on what stopped a kernel, and where. */
final class FaultReport {
  private FaultReport() {}

  static KernelFault of(Launch launch, Wave wave, MemoryFault fault) {
    String lane = fault.lane() < 0 ? "" : ", lane " + fault.lane();
    return new KernelFault(
        KernelFault.Kind.MEMORY,
        "memory fault: " + fault.getMessage() + "\n" + place(launch, wave) + lane);
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
        "the device has a bug: " + error + where + "\n" + place(launch, wave));
  }

  private static String place(Launch launch, Wave wave) {
    // The program counter has moved on: the instruction lies before it.
    long pc = wave.code.address(wave.pc) - launch.code().base();
    String source = SourceLines.of(launch.code().object()).at(pc - 1).map(p -> ", " + p).orElse("");
    return "  in kernel %s, block (%d, %d, %d), wave %d, before pc 0x%x%s"
        .formatted(
            launch.kernel().name(),
            wave.group.x(),
            wave.group.y(),
            wave.group.z(),
            wave.number,
            pc,
            source);
  }
}
