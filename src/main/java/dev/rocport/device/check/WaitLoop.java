package dev.rocport.device.check;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.WaveTrap;
import java.util.ArrayList;
import java.util.List;

/**
 * Detects loops that repeatedly load one address and store nothing. A compiler hoists a plain load
 * out of such a loop, so a load that remains is atomic or volatile.
 */
public final class WaitLoop {
  /** Words of code that a loop may have after its load, and before. */
  private static final int FAR = 64;

  private WaitLoop() {}

  /** Whether the load at {@code pc} is in such a loop. */
  public static boolean around(Code code, int pc, Instruction load) {
    try {
      int at = pc + (load.size() >> 2);
      while (at < pc + FAR) {
        Instruction i = code.at(at).instruction();
        int next = at + (i.size() >> 2);
        if (ends(i)) {
          return false;
        }
        if (i.name().startsWith("s_cbranch") || i.name().equals("s_branch")) {
          int target = next + offset(i);
          if (target <= pc && target >= pc - FAR) {
            return onlyWaits(code, target, next, pc, load);
          }
        }
        at = next;
      }
      return false;
    } catch (WaveTrap e) {
      // The bytes that follow are not code.
      return false;
    }
  }

  /**
   * Whether an update of the same place by compare and swap follows, which sees to it that the
   * value was right: its first guess is a plain load in many programs and in HIP's headers.
   */
  public static boolean isGuess(Code code, int pc, Instruction load) {
    try {
      int at = pc + (load.size() >> 2);
      while (at < pc + FAR) {
        Instruction i = code.at(at).instruction();
        if (ends(i)) {
          return false;
        }
        if ((i.name().contains("cmpst") || i.name().contains("cmpswap")) && samePlace(i, load)) {
          return true;
        }
        at += i.size() >> 2;
      }
      return false;
    } catch (WaveTrap e) {
      // The bytes that follow are not code.
      return false;
    }
  }

  private static boolean samePlace(Instruction a, Instruction b) {
    return a.opcode().encoding() == b.opcode().encoding()
        && addresses(a).equals(addresses(b))
        && a.modifiers() instanceof Modifiers.Memory m
        && b.modifiers() instanceof Modifiers.Memory n
        && m.offset() == n.offset();
  }

  private static List<Operand> addresses(Instruction i) {
    List<Operand> all = new ArrayList<>();
    for (int n = 0; n < i.operands().size(); n++) {
      if (i.opcode().slots().get(n).name().contains("addr")) {
        all.add(i.operands().get(n));
      }
    }
    return all;
  }

  private static boolean onlyWaits(Code code, int from, int to, int pc, Instruction load) {
    List<Operand> sources = new ArrayList<>();
    for (int n = 0; n < load.operands().size(); n++) {
      Opcode.Slot slot = load.opcode().slots().get(n);
      if (!slot.destination()) {
        sources.add(load.operands().get(n));
      }
    }
    int at = from;
    while (at < to) {
      Instruction i = code.at(at).instruction();
      if (ends(i) || stores(i) || (at != pc && changes(i, sources))) {
        return false;
      }
      at += i.size() >> 2;
    }
    return true;
  }

  private static boolean ends(Instruction i) {
    return switch (i.name()) {
      case "s_endpgm",
          "s_barrier",
          "s_barrier_signal",
          "s_barrier_signal_isfirst",
          "s_barrier_wait",
          "s_setpc_b64",
          "s_swappc_b64" ->
          true;
      default -> false;
    };
  }

  private static boolean stores(Instruction i) {
    Encoding encoding = i.opcode().encoding();
    return switch (encoding) {
      case DS -> !i.name().contains("read") && !i.name().contains("permute");
      case FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF, MIMG, VIMAGE ->
          i.name().contains("store") || i.name().contains("atomic");
      default -> false;
    };
  }

  private static boolean changes(Instruction i, List<Operand> sources) {
    for (int n = 0; n < i.operands().size(); n++) {
      if (!i.opcode().slots().get(n).destination()) {
        continue;
      }
      Operand to = i.operands().get(n);
      for (Operand source : sources) {
        if (overlap(to, source)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean overlap(Operand a, Operand b) {
    if (a instanceof Operand.Vector(int first, int n)
        && b instanceof Operand.Vector(int second, int m)) {
      return first < second + m && second < first + n;
    }
    return a instanceof Operand.Scalar(int first, int n)
        && b instanceof Operand.Scalar(int second, int m)
        && first < second + m
        && second < first + n;
  }

  private static int offset(Instruction i) {
    return i.operands().getFirst() instanceof Operand.Immediate(int value) ? (short) value : 0;
  }
}
