package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Target;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Prints the vector opcodes of each target that the translator does not have. */
final class Coverage {
  private static final Set<Encoding> OWN =
      Set.of(Encoding.VOP1, Encoding.VOP2, Encoding.VOPC, Encoding.VOP3, Encoding.VOP3P);
  private static final Set<String> APART =
      Set.of(
          "v_nop",
          "v_clrexcp",
          "v_readlane_b32",
          "v_readfirstlane_b32",
          "v_writelane_b32",
          "v_swap_b32",
          "v_pk_fma_f32",
          "v_pk_mul_f32",
          "v_pk_add_f32",
          "v_pk_mov_b32",
          "v_fma_mix_f32",
          "v_fma_mixlo_f16",
          "v_fma_mixhi_f16");

  private Coverage() {}

  /** The opcodes that this package is to have. */
  static List<Opcode> opcodes(Target target) {
    return Decoder.of(target).opcodes().stream()
        .filter(o -> OWN.contains(o.encoding()))
        .filter(o -> !o.name().startsWith("v_mfma") && !o.name().startsWith("v_smfmac"))
        .toList();
  }

  static boolean has(Opcode opcode) {
    return APART.contains(opcode.name()) || VectorTranslator.definition(opcode.name()).isPresent();
  }

  public static void main(String[] args) {
    for (Target target : Target.values()) {
      List<Opcode> all = opcodes(target);
      List<Opcode> missing = all.stream().filter(o -> !has(o)).toList();
      Set<String> names = new TreeSet<>();
      missing.forEach(o -> names.add(o.name()));
      System.out.printf(
          "%s: %d of %d opcodes; missing: %s%n",
          target.arch(), all.size() - missing.size(), all.size(), names);
    }
  }
}
