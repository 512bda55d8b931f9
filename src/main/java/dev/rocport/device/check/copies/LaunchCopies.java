package dev.rocport.device.check.copies;

import dev.rocport.device.check.Certainty;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.ConcurrentCopy;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One launch with copies that may happen meanwhile. */
final class LaunchCopies implements LaunchWatch, AccessObserver {
  /** A reported instruction and its copy. */
  private record Told(Instruction instruction, ConcurrentCopy copy) {}

  private final LaunchView launch;
  private final Findings findings;
  private final List<ConcurrentCopy> copies;
  private final long low;
  private final long high;
  private final Set<Told> told = ConcurrentHashMap.newKeySet();

  LaunchCopies(LaunchView launch, Findings findings) {
    this.launch = launch;
    this.findings = findings;
    this.copies = launch.concurrent();
    this.low = copies.stream().mapToLong(ConcurrentCopy::address).min().orElse(0);
    this.high = copies.stream().mapToLong(c -> c.address() + c.size()).max().orElse(0);
  }

  @Override
  public void groupBegan(List<Wave> waves) {
    waves.forEach(w -> w.observe(this));
  }

  private void touched(
      Wave wave, Instruction instruction, Access access, long lane, long address, int bytes) {
    if (address >= high || address + bytes <= low) {
      return;
    }
    for (ConcurrentCopy copy : copies) {
      boolean conflict = copy.written() || access != Access.LOAD;
      if (conflict && copy.meets(address, bytes) && told.add(new Told(instruction, copy))) {
        findings.add(finding(wave, access, lane, bytes, copy));
      }
    }
  }

  private Finding finding(Wave wave, Access access, long lane, int bytes, ConcurrentCopy copy) {
    String does =
        switch (access) {
          case LOAD -> "reads";
          case STORE -> "writes";
          default -> "updates";
        };
    String noun =
        switch (access) {
          case LOAD -> "load";
          case STORE -> "store";
          default -> "atomic";
        };
    return new Finding(
        Check.ORDER,
        Certainty.CERTAIN,
        "a kernel %s memory that an asynchronous %s %s, with no order between the two"
            .formatted(does, copy.what(), copy.written() ? "writes" : "reads"),
        launch.site("%s of %d bytes".formatted(noun, bytes), wave, lane),
        List.of(copy.site()),
        "the %1$s is on another stream, which the kernel's stream does not wait for: the %1$s may run before, after or during the kernel"
            .formatted(copy.what()),
        "make the second operation wait for the first: call hipEventRecord after the first on its"
            + " stream, then hipStreamWaitEvent on the other stream");
  }

  @Override
  public void lanes(Wave wave, Instruction instruction, MemoryAccess memory) {
    if (memory.kind() == Kind.GLOBAL) {
      for (long left = memory.lanes(); left != 0; left &= left - 1) {
        int lane = Long.numberOfTrailingZeros(left);
        long address = memory.addresses()[lane];
        touched(wave, instruction, memory.access(), 1L << lane, address, memory.bytes());
      }
    }
  }

  @Override
  public void scalar(Wave wave, Instruction instruction, Access access, long address, int bytes) {
    touched(wave, instruction, access, 0, address, bytes);
  }
}
