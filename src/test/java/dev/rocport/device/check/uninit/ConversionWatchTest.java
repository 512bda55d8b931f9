package dev.rocport.device.check.uninit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Undefined bits of conversions of small floats, against a trial of all their values. */
final class ConversionWatchTest {
  private static final int DESTINATION = 0;
  private static final int SOURCE = 20;

  private static Instruction instruction(String name) {
    Opcode opcode =
        Decoder.of(Target.GFX950).opcodes().stream()
            .filter(o -> o.name().equals(name))
            .findFirst()
            .orElseThrow();
    List<Operand> operands = new ArrayList<>();
    int register = SOURCE;
    for (Opcode.Slot slot : opcode.slots()) {
      int dwords = slot.type().dwords();
      operands.add(new Operand.Vector(slot.destination() ? DESTINATION : register, dwords));
      register += slot.destination() ? 0 : dwords;
    }
    return new Instruction(opcode, 8, operands, new Modifiers.Vop3(0, 0, 0, false, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v_cvt_scalef32_pk_fp8_f32",
        "v_cvt_scalef32_f32_fp8",
        "v_cvt_scalef32_pk_fp4_f16",
        "v_cvt_scalef32_sr_pk_fp4_f32",
        "v_cvt_scalef32_pk32_f16_fp6",
        "v_cvt_scalef32_pk32_bf6_f16",
        "v_cvt_sr_ocpfp8_f32"
      })
  void whatVariesIsUndefined(String name) {
    Trial trial = new Trial(new SplittableRandom(7), Target.GFX942);
    trial.spoil(SOURCE, SOURCE + 1, SOURCE + 2);
    trial.run(instruction(name));
    int seen = 0;
    for (int i = 0; i < trial.varied.length; i++) {
      int register = i / Wave.LANES;
      if (register < SOURCE && trial.varied[i] != 0) {
        assertThat(trial.varied[i] & ~trial.shade.bits(register, i % Wave.LANES)).isZero();
        seen++;
      }
    }
    assertThat(seen).isPositive();
  }

  /** Numbers of defined bits give defined results, next to those of undefined ones. */
  @Test
  void otherNumbersStayDefined() {
    Trial trial = new Trial(new SplittableRandom(7), Target.GFX942);
    trial.wave.s64(Wave.EXEC, -1L);
    trial.shade.set(SOURCE, 5, 0x3c0, 1); // bits 6 to 9: the second number of 6 bits
    trial.shade.set(DESTINATION + 3, 5, -1, 1);
    trial.run(instruction("v_cvt_scalef32_pk32_f16_fp6"));
    assertThat(trial.shade.bits(DESTINATION, 5)).isEqualTo(0xffff0000);
    for (int register = 1; register < 16; register++) {
      assertThat(trial.shade.bits(DESTINATION + register, 5)).isZero();
    }
    assertThat(trial.shade.bits(DESTINATION, 6)).isZero();
  }
}
