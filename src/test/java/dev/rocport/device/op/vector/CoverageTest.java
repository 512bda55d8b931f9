package dev.rocport.device.op.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every opcode of the targets has its operation, but for those named here. */
final class CoverageTest {
  private static final Set<Encoding> OWN =
      Set.of(Encoding.VOP1, Encoding.VOP2, Encoding.VOPC, Encoding.VOP3, Encoding.VOP3P);

  /** Opcodes whose rounding no manual documents, and some that no compiler emits. */
  private static final Set<String> MISSING =
      Set.of(
          "v_cvt_norm_i16_f16",
          "v_cvt_norm_u16_f16",
          "v_cvt_pk_u8_f32",
          "v_cvt_pkaccum_u8_f32",
          "v_cvt_pknorm_i16_f16",
          "v_cvt_pknorm_i16_f32",
          "v_cvt_pknorm_u16_f16",
          "v_cvt_pknorm_u16_f32",
          "v_mqsad_u32_u8",
          "v_screen_partition_4se_b32");

  private static final Set<String> MISSING_ON_GFX942 =
      Set.of("v_cvt_sr_fp8_f32", "v_cvt_sr_bf8_f32");

  /** AMD documents no rounding by random bits to 16 bits. */
  private static final Set<String> MISSING_ON_GFX950 =
      Set.of("v_cvt_sr_f16_f32", "v_cvt_sr_bf16_f32");

  private static List<Opcode> opcodes(Target target) {
    return Decoder.of(target).opcodes().stream()
        .filter(o -> OWN.contains(o.encoding()))
        .filter(o -> !o.name().startsWith("v_mfma") && !o.name().startsWith("v_smfmac"))
        .toList();
  }

  private static Instruction plain(Opcode opcode) {
    List<Operand> operands = new ArrayList<>();
    int register = 0;
    for (Opcode.Slot slot : opcode.slots()) {
      boolean mask = slot.name().equals("src2") && slot.type() == DataType.B64;
      boolean choice = opcode.name().contains("_cndmask_") || opcode.name().contains("_co_u32");
      int dwords = slot.type().dwords();
      if (slot.name().equals("sdst") || (mask && choice)) {
        operands.add(new Operand.Scalar(106, dwords));
      } else {
        operands.add(new Operand.Vector(register, dwords));
        register += dwords;
      }
    }
    Modifiers modifiers =
        opcode.encoding() == Encoding.VOP3P
            ? new Modifiers.Packed(0, 7, 0, 0, false)
            : opcode.name().startsWith("v_bitop3_")
                ? new Modifiers.TruthTable(0x96, 0)
                : new Modifiers.None();
    return new Instruction(opcode, 8, operands, modifiers);
  }

  @ParameterizedTest
  @EnumSource(value = Target.class, names = "GFX9.*", mode = EnumSource.Mode.MATCH_ALL)
  void everyOpcodeRunsButTheNamed(Target target) {
    VectorTranslator translator = new VectorTranslator();
    Machine machine = new Machine();
    Set<String> missing = new TreeSet<>();
    List<Opcode> all = opcodes(target);
    for (Opcode opcode : all) {
      translator
          .translate(plain(opcode))
          .ifPresentOrElse(op -> op.execute(machine.wave), () -> missing.add(opcode.name()));
      machine.wave.s64(126, -1);
    }
    Set<String> expected = new TreeSet<>(MISSING);
    if (target == Target.GFX942) {
      expected.addAll(MISSING_ON_GFX942);
    }
    if (target == Target.GFX950) {
      expected.addAll(MISSING_ON_GFX950);
    }
    assertThat(missing).isEqualTo(expected);
    assertThat(all).hasSizeGreaterThan(800);
  }

  /** The table of the decoder and the definitions agree about widths and floating-point types. */
  @ParameterizedTest
  @EnumSource(value = Target.class, names = "GFX9.*", mode = EnumSource.Mode.MATCH_ALL)
  void definitionsAgreeWithTheTableOfOpcodes(Target target) {
    for (Opcode opcode : opcodes(target)) {
      VectorTranslator.definition(opcode.name())
          .ifPresent(
              definition -> {
                List<Opcode.Slot> sources =
                    opcode.slots().stream().filter(s -> !s.destination()).toList();
                for (int i = 0; i < sources.size() && i < definition.sources().size(); i++) {
                  DataType slot = sources.get(i).type();
                  DataType own = definition.sources().get(i);
                  if (definition.implied() != null && i == 2) {
                    continue;
                  }
                  assertThat(own.dwords()).as("%s source %d", opcode, i).isEqualTo(slot.dwords());
                  assertThat(own.isFloat()).as("%s source %d", opcode, i).isEqualTo(slot.isFloat());
                  assertThat(own.elementBits())
                      .as("%s source %d", opcode, i)
                      .isEqualTo(slot.elementBits());
                }
              });
    }
  }
}
