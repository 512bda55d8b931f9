package dev.rocport.device.dispatch;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.WaveTrap;

/** Recognizes kernels without an effect, whose workgroups differ in nothing. */
final class EmptyKernel {
  private static final int MOST_INSTRUCTIONS = 4;
  private static final int LAST_SGPR = 101;

  private EmptyKernel() {}

  /**
   * The instructions of a kernel that only sets scalar registers and ends.
   *
   * @param entry the address of its first instruction
   * @return 0 for any other kernel, also for one whose code a wave cannot run
   */
  static int instructions(Code code, long entry) {
    try {
      int first = code.index(entry);
      for (int i = 0; i < MOST_INSTRUCTIONS; i++) {
        Instruction instruction = code.at(first + i).instruction();
        if (instruction.name().equals("s_endpgm")) {
          return i + 1;
        }
        if (!setsScalar(instruction)) {
          return 0;
        }
      }
    } catch (WaveTrap e) {
      // The wave that gets there reports it.
      return 0;
    }
    return 0;
  }

  private static boolean setsScalar(Instruction instruction) {
    return instruction.name().equals("s_mov_b32")
        && instruction.size() == Integer.BYTES
        && instruction.operand("sdst") instanceof Operand.Scalar(int code, int _)
        && code <= LAST_SGPR;
  }
}
