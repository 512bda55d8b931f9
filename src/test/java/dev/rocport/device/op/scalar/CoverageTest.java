package dev.rocport.device.op.scalar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every scalar opcode of the targets has its operation, but for those named here. */
final class CoverageTest {
  private static final String FORK = "the stack of forks in SGPRs, which compilers do not use";
  private static final String PRIVILEGED = "for trap handlers";
  private static final String HALT = "for debuggers, which start a halted wave again";

  /** The opcodes that this device does not support, and why. */
  static final Map<String, String> MISSING =
      Map.ofEntries(
          Map.entry("s_cbranch_g_fork", FORK),
          Map.entry("s_cbranch_i_fork", FORK),
          Map.entry("s_cbranch_join", FORK),
          Map.entry("s_rfe_b64", PRIVILEGED),
          Map.entry("s_rfe_restore_b64", PRIVILEGED),
          Map.entry("s_endpgm_saved", PRIVILEGED),
          Map.entry("s_sethalt", HALT),
          Map.entry("s_sendmsghalt", HALT),
          Map.entry("s_setkill", HALT),
          Map.entry("s_setvskip", "it would skip all vector instructions; compilers do not use it"),
          Map.entry("s_endpgm_ordered_ps_done", "for pixel shaders"));

  private static Instruction plain(Opcode opcode) {
    List<Operand> operands = new ArrayList<>();
    for (Opcode.Slot slot : opcode.slots()) {
      operands.add(
          slot.name().startsWith("simm")
              ? new Operand.Immediate(1)
              : new Operand.Scalar(0, slot.type().dwords()));
    }
    return new Instruction(opcode, 4, operands, new Modifiers.None());
  }

  @ParameterizedTest
  @EnumSource(value = Target.class, names = "GFX9.*", mode = EnumSource.Mode.MATCH_ALL)
  void everyOpcodeHasItsOperationButTheNamed(Target target) {
    ScalarTranslator translator = new ScalarTranslator();
    Set<String> missing = new TreeSet<>();
    List<Opcode> all = Machine.opcodes(target);
    for (Opcode opcode : all) {
      if (translator.translate(plain(opcode)).isEmpty()) {
        missing.add(opcode.name());
      }
    }
    assertThat(missing).isEqualTo(new TreeSet<>(MISSING.keySet()));
    assertThat(all).hasSize(179);
    assertThat(all)
        .extracting(Opcode::encoding)
        .containsOnly(Encoding.SOP1, Encoding.SOP2, Encoding.SOPC, Encoding.SOPK, Encoding.SOPP);
  }
}
