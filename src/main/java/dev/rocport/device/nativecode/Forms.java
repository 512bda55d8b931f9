package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Instruction;
import org.jspecify.annotations.Nullable;

/** The forms of instructions. */
final class Forms {
  private Forms() {}

  /**
   * What an instruction does; null if only the interpreter knows.
   *
   * @param lanes of the waves that run it
   */
  static @Nullable Form of(Instruction instruction, int lanes) {
    return switch (instruction.opcode().encoding()) {
      case SOP1, SOP2, SOPC -> ScalarForms.of(instruction, lanes);
      case SOPK ->
          instruction.name().startsWith("s_waitcnt")
              ? ProgramForms.of(instruction)
              : ScalarForms.of(instruction, lanes);
      case SOPP -> ProgramForms.of(instruction);
      case VOP3P -> {
        Form matrix = MatrixForms.of(instruction);
        yield matrix == null ? LaneForms.of(instruction) : matrix;
      }
      case VOP3 -> {
        Form floats = ScalarFloatForms.of(instruction);
        yield floats == null ? LaneForms.of(instruction) : floats;
      }
      case VOP1, VOP2, VOPC -> LaneForms.of(instruction);
      case VOPD -> LaneForms.both(instruction);
      case SMEM -> ScalarMemoryForms.of(instruction);
      case DS, FLAT -> MemoryForms.of(instruction);
      case GLOBAL ->
          switch (instruction.name()) {
            case "global_inv", "global_wb", "global_wbinv" -> fence();
            default -> MemoryForms.of(instruction);
          };
      case MUBUF ->
          switch (instruction.name()) {
            case "buffer_wbl2",
                "buffer_inv",
                "buffer_invl2",
                "buffer_wbinvl1",
                "buffer_wbinvl1_vol",
                "buffer_gl0_inv",
                "buffer_gl1_inv" ->
                fence();
            default -> ScratchForms.of(instruction);
          };
      case SCRATCH -> ScratchForms.of(instruction);
      default -> null;
    };
  }

  /** Caches and write-backs do not exist here; the host's compiler must not move accesses. */
  private static Form fence() {
    return (Form.Whole) (f, _) -> f.ir.line(WaveFunction.BARRIER);
  }
}
