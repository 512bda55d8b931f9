package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.op.scalar.Sopp;
import dev.rocport.device.wave.WaveState;
import org.jspecify.annotations.Nullable;

/** SOPP and waits, except branches, which end a block of a {@link Region}. */
final class ProgramForms {
  private ProgramForms() {}

  static @Nullable Form of(Instruction i) {
    return switch (i.name()) {
      case "s_barrier" -> new Form.Leaves(WaveState.BARRIER, false);
      case "s_barrier_wait" -> waitAtBarrier(i);
      case "s_sleep" -> new Form.Leaves(WaveState.YIELDED, false);
      case "s_endpgm" -> new Form.Leaves(WaveState.ENDED, false);
      case "s_waitcnt",
          "s_waitcnt_vscnt",
          "s_waitcnt_vmcnt",
          "s_waitcnt_expcnt",
          "s_waitcnt_lgkmcnt",
          "s_wait_loadcnt",
          "s_wait_storecnt",
          "s_wait_dscnt",
          "s_wait_kmcnt",
          "s_wait_loadcnt_dscnt",
          "s_wait_storecnt_dscnt" ->
          new Form.Wait();
      default -> Sopp.WITHOUT_EFFECT.contains(i.name()) ? new Form.Nothing() : null;
    };
  }

  /** The barrier of the workgroup; others have names. */
  private static @Nullable Form waitAtBarrier(Instruction i) {
    Integer barrier = Scalars.immediate(i, 0);
    return barrier != null && (short) (int) barrier == Sopp.WORKGROUP
        ? new Form.Leaves(WaveState.BARRIER, true)
        : null;
  }
}
