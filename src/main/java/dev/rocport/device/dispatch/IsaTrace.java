package dev.rocport.device.dispatch;

import dev.rocport.device.isa.Disassembler;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;

/** Runs a wave one instruction at a time, and tells each with the registers it changed. */
final class IsaTrace {
  /** The number of changed lanes of a vector register that are printed. */
  private static final int LANES_TOLD = 4;

  private final Launch launch;
  private final Disassembler disassembler;

  IsaTrace(Launch launch) {
    this.launch = launch;
    this.disassembler = Disassembler.of(launch.target());
  }

  /** As {@link Wave#run} does. */
  void run(Wave wave, int budget) {
    StringBuilder out = new StringBuilder();
    try {
      for (int i = 0; i < budget && wave.state == WaveState.READY; i++) {
        Op op = wave.code.at(wave.pc);
        long pc = wave.code.address(wave.pc) - launch.code().base();
        out.append("%06x  %-48s".formatted(pc, disassembler.print(op.instruction())));
        int[] s = wave.s.clone();
        int[] v = wave.v.clone();
        int[] a = wave.a.clone();
        int scc = wave.scc;
        try {
          wave.run(1);
        } finally {
          scalars(out, s, wave.s);
          if (scc != wave.scc) {
            out.append("  scc=").append(wave.scc);
          }
          vectors(out, 'v', v, wave.v);
          vectors(out, 'a', a, wave.a);
          out.append('\n');
        }
      }
    } finally {
      launch.services().tell(out.toString());
    }
  }

  private static void scalars(StringBuilder out, int[] before, int[] now) {
    for (int r = 0; r < Operand.NULL; r++) {
      if (before[r] != now[r]) {
        out.append("  %s=0x%x".formatted(name(r), now[r]));
      }
    }
  }

  private static String name(int scalar) {
    return switch (scalar) {
      case Wave.FLAT_SCRATCH -> "flat_scratch_lo";
      case Wave.FLAT_SCRATCH + 1 -> "flat_scratch_hi";
      case Wave.VCC -> "vcc_lo";
      case Wave.VCC + 1 -> "vcc_hi";
      case Wave.M0 -> "m0";
      case Wave.EXEC -> "exec_lo";
      case Wave.EXEC + 1 -> "exec_hi";
      default -> "s" + scalar;
    };
  }

  private static void vectors(StringBuilder out, char kind, int[] before, int[] now) {
    for (int r = 0; r < now.length / Wave.LANES; r++) {
      int changed = 0;
      for (int l = 0; l < Wave.LANES; l++) {
        int at = r * Wave.LANES + l;
        if (before[at] != now[at] && changed++ < LANES_TOLD) {
          out.append(changed == 1 ? "  " + kind + r + "={" : " ")
              .append("%d:0x%x".formatted(l, now[at]));
        }
      }
      if (changed > 0) {
        out.append(changed > LANES_TOLD ? " and " + (changed - LANES_TOLD) + " more}" : "}");
      }
    }
  }
}
