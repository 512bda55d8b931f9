package dev.rocport.device.block;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Branch;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Instructions that follow each other in the text. Branches go out of it, or back to its start,
 * which ends it.
 *
 * @param start the index of the first
 */
record BasicBlock(int start, List<Part> parts) {
  private static final int MOST = 64;

  /** Instructions after which code is reached only from elsewhere. */
  private static final Set<String> ENDS =
      Set.of("s_endpgm", "s_setpc_b64", "s_swappc_b64", "s_call_b64", "s_barrier", "s_branch");

  /** One instruction. */
  sealed interface Part {
    /** The index of the instruction after it. */
    int next();
  }

  /**
   * An instruction that is known by its actions.
   *
   * @param touchesMemory it may stop the wave with a fault
   */
  record Known(int next, List<Action> actions, boolean writesExec, boolean touchesMemory)
      implements Part {}

  /** An instruction that is called. */
  record Called(int next, Op op) implements Part {}

  record Jump(int next, int target, Branch.Test test) implements Part {}

  /** The basic block that begins at an index; empty where no instruction is. */
  static BasicBlock from(Code code, int start) {
    List<Part> parts = new ArrayList<>();
    int pc = start;
    while (parts.size() < MOST) {
      Op op;
      try {
        op = code.at(pc);
      } catch (WaveTrap e) {
        // Bytes after the code are no instructions: report them only where a wave reaches them.
        break;
      }
      pc += op.words();
      Part part = part(op, pc);
      parts.add(part);
      if (ENDS.contains(op.instruction().name())
          || (part instanceof Jump jump && jump.target() == start)) {
        break;
      }
    }
    return new BasicBlock(start, List.copyOf(parts));
  }

  private static Part part(Op op, int next) {
    if (op instanceof Branch branch) {
      return new Jump(next, next + branch.offset(), branch.test());
    }
    List<Action> actions = op.actions();
    Instruction instruction = op.instruction();
    return actions == null
        ? new Called(next, op)
        : new Known(next, actions, writesExec(instruction), touchesMemory(instruction));
  }

  private static boolean writesExec(Instruction instruction) {
    String name = instruction.name();
    if (name.contains("saveexec") || name.contains("wrexec") || name.startsWith("v_cmpx")) {
      return true;
    }
    for (int i = 0; i < instruction.operands().size(); i++) {
      if (instruction.opcode().slots().get(i).destination()
          && instruction.operands().get(i) instanceof Operand.Scalar(int code, int dwords)
          && code <= Wave.EXEC + 1
          && code + dwords > Wave.EXEC) {
        return true;
      }
    }
    return false;
  }

  private static boolean touchesMemory(Instruction instruction) {
    return switch (instruction.opcode().encoding()) {
      case SOP1, SOP2, SOPC, SOPK, SOPP, VOP1, VOP2, VOPC, VOP3, VOP3P -> false;
      default -> true;
    };
  }

  int instructions() {
    return parts.size();
  }
}
