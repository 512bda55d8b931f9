package dev.rocport.device.check;

import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;

/**
 * The most accesses that may still be under way after a wait. Sources: LLVM's AMDGPUUsage, AMD's
 * manuals of both instruction sets.
 *
 * @param vector of global memory and scratch; of RDNA those that give the wave a value
 * @param stores of RDNA the others of these, which it counts apart; 0 elsewhere
 * @param local of LDS, and but for RDNA 4 of scalars
 * @param scalars of RDNA 4; the same as {@code local} elsewhere
 */
public record WaitCounts(int vector, int stores, int local, int scalars) {
  private static final int ANY = Integer.MAX_VALUE;

  WaitCounts(int vector, int stores, int local) {
    this(vector, stores, local, local);
  }

  /** Whether an instruction waits for accesses. */
  public static boolean isWait(String name) {
    return switch (name) {
      case "s_waitcnt",
          "s_waitcnt_vmcnt",
          "s_waitcnt_vscnt",
          "s_waitcnt_lgkmcnt",
          "s_wait_loadcnt",
          "s_wait_storecnt",
          "s_wait_dscnt",
          "s_wait_kmcnt",
          "s_wait_loadcnt_dscnt",
          "s_wait_storecnt_dscnt" ->
          true;
      default -> false;
    };
  }

  /** The counts of such an instruction. */
  public static WaitCounts of(Instruction wait) {
    int counts = wait.operands().getLast() instanceof Operand.Immediate(int value) ? value : 0;
    if (wait.opcode().generation() == Generation.CDNA) {
      return new WaitCounts((counts & 15) | (counts >>> 10 & 0x30), 0, counts >>> 8 & 15);
    }
    int upper = counts >>> 8 & 63;
    boolean isNull =
        wait.operands().getFirst() instanceof Operand.Scalar(int code, int _)
            && code == Operand.NULL;
    // A count in a register, which no compiler makes, is taken for one that waits for nothing.
    return switch (wait.name()) {
      case "s_waitcnt" -> new WaitCounts(counts >>> 10 & 63, ANY, counts >>> 4 & 63);
      case "s_waitcnt_vmcnt" -> new WaitCounts(isNull ? counts : ANY, ANY, ANY);
      case "s_waitcnt_vscnt" -> new WaitCounts(ANY, isNull ? counts : ANY, ANY);
      case "s_waitcnt_lgkmcnt" -> new WaitCounts(ANY, ANY, isNull ? counts : ANY);
      case "s_wait_loadcnt" -> new WaitCounts(counts, ANY, ANY);
      case "s_wait_storecnt" -> new WaitCounts(ANY, counts, ANY);
      case "s_wait_dscnt" -> new WaitCounts(ANY, ANY, counts, ANY);
      case "s_wait_kmcnt" -> new WaitCounts(ANY, ANY, ANY, counts);
      case "s_wait_loadcnt_dscnt" -> new WaitCounts(upper, ANY, counts & 63, ANY);
      case "s_wait_storecnt_dscnt" -> new WaitCounts(ANY, upper, counts & 63, ANY);
      default -> throw new IllegalArgumentException(wait.name());
    };
  }
}
