package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Target;
import dev.rocport.device.nativecode.Sums.Sum;
import dev.rocport.device.nativecode.Sums.Word;
import dev.rocport.device.wave.Wave;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SumsTest {
  private static final int ADD_CO = 25;
  private static final int ADD_WITH_CARRY = 28;
  private static final int ADD = 52;
  private static final int V = 256;
  private static final int SIXTEEN = 144;
  private static final Word S2 = new Word(2, 0);
  private static final Word S3 = new Word(3, 0);

  private final Sums sums = new Sums();

  /** An instruction of two sources: the operation, the register that it sets, and its sources. */
  private static int vop2(int operation, int to, int source, int register) {
    return operation << 25 | to << 17 | register << 9 | source;
  }

  private static int move(int to, int source) {
    return 0x7e000200 | to << 17 | source;
  }

  private void run(int... words) {
    for (int word : words) {
      Instruction instruction = Decoder.of(Target.GFX90A).decode(word, 0);
      List<Sums.Change> changes = sums.of(instruction);
      int to = word >>> 17 & 0xff;
      sums.changes(to, 1);
      if (instruction.name().contains("_co_")) {
        sums.makes(Wave.VCC, 2);
      }
      sums.add(changes);
    }
  }

  @Test
  void aPairPlusScalars() {
    run(move(6, 3), vop2(ADD_CO, 4, 2, 0), vop2(ADD_WITH_CARRY, 5, V + 6, 1));

    assertThat(sums.sum(4, true)).isEqualTo(new Sum(0, List.of(S2), List.of(S3)));
    assertThat(sums.sum(4, false)).isEqualTo(new Sum(0, List.of(S2), List.of()));
  }

  @Test
  void aPairThatGrowsInPlace() {
    run(
        move(6, 3),
        vop2(ADD_CO, 0, 2, 0),
        vop2(ADD_WITH_CARRY, 1, V + 6, 1),
        vop2(ADD_CO, 0, SIXTEEN, 0),
        vop2(ADD_WITH_CARRY, 1, 128, 1));

    assertThat(sums.sum(0, true))
        .isEqualTo(new Sum(0, List.of(S2, new Word(-1, 16)), List.of(S3, new Word(-1, 0))));
  }

  @Test
  void aConstantInThirtyTwoBits() {
    run(vop2(ADD, 3, SIXTEEN, 2));

    assertThat(sums.sum(3, false)).isEqualTo(new Sum(2, List.of(new Word(-1, 16)), List.of()));
    assertThat(sums.sum(3, true)).isNull();
  }

  @Test
  void theCarryOfAnotherSum() {
    run(
        move(6, 3),
        vop2(ADD_CO, 4, 2, 0),
        vop2(ADD_CO, 7, 2, 8),
        vop2(ADD_WITH_CARRY, 5, V + 6, 1));

    assertThat(sums.sum(4, true)).isNull();
  }

  @Test
  void theHighWordOfAnotherRegister() {
    run(move(6, 3), vop2(ADD_CO, 4, 2, 0), vop2(ADD_WITH_CARRY, 5, V + 6, 9));

    assertThat(sums.sum(4, true)).isNull();
  }

  @Test
  void aLowWordThatChangesAfterwards() {
    run(
        move(6, 3),
        vop2(ADD_CO, 4, 2, 0),
        vop2(ADD_WITH_CARRY, 5, V + 6, 1),
        vop2(ADD_CO, 4, SIXTEEN, 4));

    assertThat(sums.sum(4, true)).isNull();
  }

  @Test
  void aSumOfTwoVectors() {
    run(vop2(ADD, 3, V + 1, 2));

    assertThat(sums.sum(3, false)).isNull();
  }
}
