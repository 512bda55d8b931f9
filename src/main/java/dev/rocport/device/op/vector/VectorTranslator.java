package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Translator;
import dev.rocport.device.wave.Wave;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Translates the vector ALU instructions of all targets, except matrix instructions. Rounding,
 * denormals and special values are those of AMD's CDNA manuals; what those leave open (the last bit
 * of v_rcp_f32, v_exp_f32 and their kind) is the correctly rounded result here.
 */
public final class VectorTranslator implements Translator {
  private static final Set<Encoding> OWN =
      EnumSet.of(
          Encoding.VOP1,
          Encoding.VOP2,
          Encoding.VOPC,
          Encoding.VOP3,
          Encoding.VOP3P,
          Encoding.VOPD);

  /** Routines are shared by all code, since they are worth the more the more they are used. */
  private static final ConcurrentMap<String, Optional<Routine>> ROUTINES =
      new ConcurrentHashMap<>();

  @Override
  public Optional<Op> translate(Instruction instruction) {
    if (!OWN.contains(instruction.opcode().encoding())) {
      return Optional.empty();
    }
    if (instruction.name().startsWith("v_s_")) {
      return Optional.empty(); // ScalarFloats
    }
    if (instruction.name().startsWith("v_cvt_scalef32_")) {
      return ScaledConversion.of(instruction);
    }
    return switch (instruction.name()) {
      case "v_nop", "v_clrexcp", "v_pipeflush" -> Optional.of(new Nothing(instruction));
      case "v_readfirstlane_b32", "v_readlane_b32", "v_writelane_b32" -> LaneAccess.of(instruction);
      case "v_permlane64_b32" -> WaveHalves.of(instruction);
      case "v_swap_b16" -> HalfSwap.of(instruction);
      case "v_permlane16_swap_b32", "v_permlane32_swap_b32" -> LaneSwap.of(instruction);
      case "v_cvt_sr_ocpfp8_f32", "v_cvt_sr_ocpbf8_f32" ->
          instruction.opcode().generation() == Generation.CDNA
              ? ScaledConversion.of(instruction)
              : Optional.empty();
      case "v_dual" -> DualOp.of(instruction);
      case "v_permlane16_b32",
          "v_permlanex16_b32",
          "v_permlane16_var_b32",
          "v_permlanex16_var_b32" ->
          RowPermutation.of(instruction).map(p -> p);
      case "v_movrels_b32", "v_movreld_b32" -> RelativeMove.of(instruction);
      case "v_swap_b32",
          "v_pk_fma_f32",
          "v_pk_mul_f32",
          "v_pk_add_f32",
          "v_pk_mov_b32",
          "v_fma_mix_f32",
          "v_fma_mixlo_f16",
          "v_fma_mixhi_f16" ->
          new Composite(instruction).op();
      default -> new Assembly(instruction).op();
    };
  }

  /** The routine of an opcode's mnemonic. */
  static Optional<Routine> routine(String name) {
    return ROUTINES.computeIfAbsent(name, n -> definition(n).map(Routine::new));
  }

  /** The routine of an opcode with a truth table: bit 4a + 2b + c is its result. */
  static Optional<Routine> routine(String name, int table) {
    return ROUTINES.computeIfAbsent(
        name + " " + table,
        _ -> Optional.ofNullable(Integers.bitwise(name, table)).map(Routine::new));
  }

  /** The routine of an opcode under the clamp bit, where that is not the float clamp. */
  static Optional<Routine> clampedRoutine(String name) {
    return ROUTINES.computeIfAbsent(
        name + " clamp", _ -> definition(name).map(Definition::underClamp).map(Routine::new));
  }

  /** The definition of an opcode's mnemonic. */
  static Optional<Definition> definition(String name) {
    return Optional.ofNullable(Integers.named(name))
        .or(() -> Optional.ofNullable(Floats.named(name)))
        .or(() -> Optional.ofNullable(Comparisons.named(name)))
        .or(() -> Optional.ofNullable(Conversions.named(name)))
        .or(() -> Optional.ofNullable(Doubles.named(name)))
        .or(() -> Optional.ofNullable(Halves.named(name)))
        .or(() -> Optional.ofNullable(Transcendentals.named(name)))
        .or(() -> Optional.ofNullable(Packed.named(name)))
        .or(() -> Optional.ofNullable(Bytes.named(name)))
        .or(() -> Optional.ofNullable(RdnaOps.named(name)));
  }

  private static final class Nothing extends Op {
    Nothing(Instruction instruction) {
      super(instruction);
    }

    @Override
    public void execute(Wave wave) {}
  }
}
