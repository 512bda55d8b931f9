package dev.rocport.device.check.uninit;

import dev.rocport.device.check.Checker;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.op.matrix.WaveMatrix;
import dev.rocport.device.op.memory.TransposedLoad;
import dev.rocport.device.op.vector.HalfSwap;
import dev.rocport.device.op.vector.LaneSwap;
import dev.rocport.device.op.vector.RowPermutation;
import dev.rocport.device.op.vector.ScaledConversion;
import dev.rocport.device.op.vector.Signature;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Translator;
import java.util.Optional;

/**
 * Finds uses of unwritten values that affect the result. Copying such a value is not an error:
 * compiled code does it all the time with padding, register halves, and values that only some lanes
 * have.
 */
public final class Uninit implements Checker {
  private final Findings findings;
  private final Translator bare;
  private final Origins origins = new Origins();

  /**
   * Of one program.
   *
   * @param bare makes operations that no check goes around
   */
  public Uninit(Findings findings, Translator bare) {
    this.findings = findings;
    this.bare = bare;
  }

  @Override
  public Op around(Op plain) {
    String name = plain.instruction().name();
    return switch (plain.instruction().opcode().encoding()) {
      case SOP1, SOP2, SOPC, SOPK, SOPP -> scalar(plain, name);
      case VOP1, VOP2, VOPC, VOP3 -> vector(plain, name);
      case VOP3P ->
          name.startsWith("v_mfma") || name.startsWith("v_smfmac")
              ? new MatrixWatch(plain)
              : plain.instruction().opcode().isWaveMatrix()
                  ? new WaveMatrixWatch(plain, WaveMatrix.of(plain.instruction()).orElseThrow())
                  : vector(plain, name);
      case VOPD -> dual(plain);
      case SMEM ->
          name.startsWith("s_dcache")
                  || name.startsWith("s_atc")
                  || name.equals("s_gl1_inv")
                  || name.contains("_prefetch_")
              ? plain
              : new SmemWatch(plain, origins);
      case DS -> local(plain, name);
      case FLAT, GLOBAL, SCRATCH ->
          name.startsWith("global_wb") || name.startsWith("global_inv")
              ? plain
              : new MemoryWatch(plain, origins);
      case MUBUF, MTBUF ->
          name.startsWith("buffer_wb") || name.startsWith("buffer_inv") || name.endsWith("_inv")
              ? plain
              : new MemoryWatch(plain, origins);
      case MIMG, VIMAGE, VSAMPLE -> new MemoryWatch(plain, origins);
      case VOPDX, VOPDY -> throw new IllegalArgumentException(name);
    };
  }

  private static Op scalar(Op plain, String name) {
    Op control = ControlWatch.of(plain);
    if (control != plain || plain.instruction().opcode().encoding() == Encoding.SOPP) {
      return control;
    }
    return switch (name) {
      case "s_setreg_b32", "s_setreg_imm32_b32", "s_setvskip", "s_barrier_signal", "s_sleep_var" ->
          plain;
      default ->
          name.startsWith("s_waitcnt_") || name.equals("s_version")
              ? plain
              : new ScalarWatch(plain);
    };
  }

  private Op vector(Op plain, String name) {
    return switch (name) {
      // waves of 64 lanes of RDNA are not checked, and others do nothing there
      case "v_nop", "v_clrexcp", "v_pipeflush", "v_permlane64_b32" -> plain;
      case "v_readfirstlane_b32", "v_readlane_b32", "v_writelane_b32" -> new LaneWatch(plain);
      case "v_permlane16_swap_b32", "v_permlane32_swap_b32" ->
          new LaneSwapWatch(plain, (LaneSwap) bare.translate(plain.instruction()).orElseThrow());
      case "v_swap_b16" ->
          new HalfSwapWatch(plain, (HalfSwap) bare.translate(plain.instruction()).orElseThrow());
      case "v_permlane16_b32",
          "v_permlanex16_b32",
          "v_permlane16_var_b32",
          "v_permlanex16_var_b32" ->
          new RowPermuteWatch(plain, RowPermutation.of(plain.instruction()).orElseThrow());
      case "v_movrels_b32", "v_movreld_b32" -> new RelativeMoveWatch(plain);
      case "v_cvt_sr_ocpfp8_f32", "v_cvt_sr_ocpbf8_f32" -> conversion(plain);
      case "v_swap_b32",
          "v_pk_fma_f32",
          "v_pk_mul_f32",
          "v_pk_add_f32",
          "v_pk_mov_b32",
          "v_fma_mix_f32",
          "v_fma_mixlo_f16",
          "v_fma_mixhi_f16" ->
          new PairWatch(plain);
      default ->
          name.startsWith("v_cvt_scalef32_")
              ? conversion(plain)
              : name.startsWith("v_s_")
                  ? new ScalarWatch(plain)
                  : flow(plain.instruction())
                      .map(f -> (Op) new VectorWatch(plain, f))
                      .orElse(plain);
    };
  }

  private static Optional<VectorFlow> flow(Instruction instruction) {
    return Signature.of(instruction.name()).map(s -> new VectorFlow(instruction, s));
  }

  private static Op dual(Op plain) {
    if (!(plain.instruction().modifiers()
        instanceof Modifiers.Dual(Instruction x, Instruction y))) {
      throw new IllegalArgumentException(plain.instruction().name());
    }
    return new DualWatch(plain, flow(x).orElseThrow(), flow(y).orElseThrow());
  }

  private Op conversion(Op plain) {
    return new ConversionWatch(
        plain, (ScaledConversion) bare.translate(plain.instruction()).orElseThrow());
  }

  private Op local(Op plain, String name) {
    return switch (name) {
      case "ds_nop" -> plain;
      case "ds_swizzle_b32", "ds_permute_b32", "ds_bpermute_b32" ->
          new PermuteWatch(plain, bare.translate(plain.instruction()).orElseThrow());
      default -> {
        if (name.startsWith("ds_gws_")) {
          yield plain;
        }
        Op watch = new MemoryWatch(plain, origins);
        yield TransposedLoad.isOne(name)
            ? new TransposeWatch(
                watch,
                plain.instruction(),
                (TransposedLoad) bare.translate(plain.instruction()).orElseThrow())
            : watch;
      }
    };
  }

  @Override
  public LaunchWatch launch(LaunchView launch) {
    return new UninitLaunch(launch, findings, origins);
  }

  @Override
  public void allocated(Allocation allocation, int gpu) {
    if (gpu >= 0) {
      origins.allocated(allocation);
      GlobalShadow.ALL.set(allocation.base(), allocation.size(), false);
    }
  }

  @Override
  public void freed(Allocation allocation) {
    origins.freed(allocation);
    GlobalShadow.ALL.set(allocation.base(), allocation.size(), true);
  }

  @Override
  public void hostWrote(long address, long size) {
    GlobalShadow.ALL.set(address, size, true);
  }

  @Override
  public void mayHaveWritten(long address, long size) {
    if (address != 0) {
      hostWrote(address, size);
      return;
    }
    origins.allocations().forEach(a -> hostWrote(a.base(), a.size()));
  }

  @Override
  public void copied(long to, long from, long size) {
    GlobalShadow.ALL.copy(to, from, size);
  }
}
