package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;

/** What instructions do, as far as this check asks. */
final class Instructions {
  private Instructions() {}

  /** Whether lanes exchange data through memory, or through the crossbar of LDS. */
  static boolean touchesMemory(Instruction instruction) {
    return switch (instruction.opcode().encoding()) {
      case DS, FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF, MIMG, VIMAGE, VSAMPLE -> true;
      default -> false;
    };
  }

  /** Whether the wave waits for others, or says that it is there. */
  static boolean isBarrier(Instruction instruction) {
    return instruction.name().startsWith("s_barrier");
  }

  static boolean writesExec(Instruction instruction) {
    String name = instruction.name();
    if (name.contains("saveexec") || name.contains("wrexec") || name.startsWith("v_cmpx")) {
      return true;
    }
    for (int i = 0; i < instruction.operands().size(); i++) {
      if (instruction.opcode().slots().get(i).destination()
          && instruction.operands().get(i) instanceof Operand.Scalar(int code, int _)
          && (code == Wave.EXEC || code == Wave.EXEC + 1)) {
        return true;
      }
    }
    return false;
  }
}
