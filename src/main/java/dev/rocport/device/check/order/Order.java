package dev.rocport.device.check.order;

import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Coverage;
import dev.rocport.device.check.DelayedPlaces;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.check.WaitCounts;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.op.memory.Routes;
import dev.rocport.device.wave.Op;

/**
 * Puts caches and queues between waves and memory that are as late and as stale as those of the
 * hardware may be, and reports unordered loads that miss an earlier store.
 */
public final class Order implements Checker {
  private final Machine machine;

  /** The caches of a program's GPUs. */
  public Order(long seed, Findings findings, DelayedPlaces places) {
    this.machine = new Machine(seed, findings, places);
  }

  @Override
  public Op around(Op plain) {
    Instruction instruction = plain.instruction();
    String name = instruction.name();
    if (WaitCounts.isWait(name)) {
      return new Ops.Wait(instruction);
    }
    return switch (instruction.opcode().encoding()) {
      case FLAT, SCRATCH, MTBUF, MIMG, VIMAGE -> ordered(plain);
      // another counter than that of loads counts them
      case VSAMPLE ->
          new Ops.Uncounted(Routes.through(plain, new OrderedPath(plain.instruction())));
      case GLOBAL ->
          switch (name) {
            case "global_inv" -> new Ops.InvalidateOfRdna(instruction);
            case "global_wb", "global_wbinv" -> new Ops.Counter(plain);
            default -> ordered(plain);
          };
      case MUBUF ->
          switch (name) {
            case "buffer_invl2" -> new Ops.MeetOthers(instruction);
            case "buffer_wbl2" -> new Ops.WriteBack(instruction);
            case "buffer_gl0_inv", "buffer_gl1_inv" -> new Ops.InvalidateOfRdna(instruction);
            default ->
                name.startsWith("buffer_inv") || name.startsWith("buffer_wbinv")
                    ? new Ops.Invalidate(instruction)
                    : ordered(plain);
          };
      case DS, SMEM -> new Ops.Local(plain);
      case SOPP ->
          switch (name) {
            case "s_endpgm" -> new Ops.End(plain);
            case "s_sendmsg" -> new Ops.Flush(plain);
            default -> plain;
          };
      default -> plain;
    };
  }

  private static Op ordered(Op plain) {
    return new Ops.Counted(Routes.through(plain, new OrderedPath(plain.instruction())));
  }

  @Override
  public void allocated(Allocation allocation, int gpu) {
    if (gpu >= 0) {
      machine.owners.put(allocation.base(), gpu);
    }
  }

  @Override
  public void freed(Allocation allocation) {
    machine.owners.remove(allocation.base());
  }

  @Override
  public Coverage coverage() {
    return Coverage.ofLate(machine.late());
  }

  @Override
  public LaunchWatch launch(LaunchView launch) {
    return machine.launch(launch);
  }
}
