package dev.rocport.device.check.uninit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.op.matrix.WaveMatrix;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** WMMA under the check: one undefined element, compared with what the result depends on. */
final class WaveMatrixWatchTest {
  private static final int[] FIRST = {16, 24, 32};

  private final SplittableRandom random = new SplittableRandom(11);

  private static Instruction instruction(Opcode opcode) {
    List<Operand> operands = new ArrayList<>();
    int source = 0;
    for (Opcode.Slot slot : opcode.slots()) {
      operands.add(
          new Operand.Vector(slot.destination() ? 0 : FIRST[source++], slot.type().dwords()));
    }
    return new Instruction(opcode, 8, operands, new Modifiers.Packed(0, 7, 0, 0, false));
  }

  /** Small numbers in all sources, which lanes of RDNA 3 hold twice. */
  private static void fill(Wave wave, WaveMatrix matrix) {
    for (int i = 0; i < wave.v.length; i++) {
      wave.v[i] =
          switch (matrix.type()) {
            case I32 -> 0x01010101;
            default ->
                switch (matrix.elementA().bits()) {
                  case 8 -> 0x38383838;
                  default -> 0x3c003c00;
                };
          };
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Target.class,
      names = {"GFX1100", "GFX1201"})
  void undefinedElementsSpoilTheirRowOrColumnAndNothingElse(Target target) {
    int tried = 0;
    for (Opcode opcode : Decoder.of(target).opcodes()) {
      if (!opcode.name().startsWith("v_wmma_")) {
        continue;
      }
      Instruction instruction = instruction(opcode);
      WaveMatrix matrix = WaveMatrix.of(instruction).orElseThrow();
      for (int source = 0; source < FIRST.length; source++) {
        spoilt(target, instruction, matrix, source);
        tried++;
      }
    }
    assertThat(tried).isGreaterThanOrEqualTo(15);
  }

  private void spoilt(Target target, Instruction instruction, WaveMatrix matrix, int source) {
    Trial trial = new Trial(random, target);
    fill(trial.wave, matrix);
    trial.wave.s64(Wave.EXEC, 0xffffffffL);
    int register = FIRST[source];
    int lane = random.nextInt(16);
    int bit = source == 2 ? matrix.shift(0) : 0;
    List<Integer> lanes =
        matrix.repeated() && source < 2 ? List.of(lane, lane + 16) : List.of(lane);
    lanes.forEach(l -> trial.shade.set(register, l, 1 << bit, 1));
    Op plain = LoadedCode.translate(instruction).orElseThrow();
    int[] before = trial.wave.v.clone();
    lanes.forEach(l -> trial.wave.v[register * Wave.LANES + l] ^= 1 << bit);
    plain.execute(trial.wave);
    int[] other = trial.wave.v.clone();
    System.arraycopy(before, 0, trial.wave.v, 0, before.length);
    trial.check.around(plain).execute(trial.wave);
    int registers = instruction.opcode().slots().getFirst().type().dwords();
    int undefined = 0;
    for (int r = 0; r < registers; r++) {
      for (int l = 0; l < trial.wave.lanes; l++) {
        int at = r * Wave.LANES + l;
        assertThat((other[at] ^ trial.wave.v[at]) & ~trial.shade.bits(r, l))
            .as("%s, source %s, v%s lane %s", instruction.name(), source, r, l)
            .isZero();
        undefined +=
            Integer.bitCount(trial.shade.bits(r, l)) / Math.min(32, matrix.type().elementBits());
      }
    }
    assertThat(undefined).isEqualTo(source == 2 ? 1 : WaveMatrix.SIZE);
  }
}
