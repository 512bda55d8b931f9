package dev.rocport.device.check.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Target;
import org.junit.jupiter.api.Test;

/** Which instructions move values between lanes. Encodings are those of LLVM 19. */
final class ExchangeTest {
  private static Instruction instruction(Target target, int... words) {
    return Decoder.of(target).decode(words[0], words.length > 1 ? words[1] : 0);
  }

  @Test
  void ofRowsOfRdna() {
    Instruction i = instruction(Target.GFX1100, 0xd65c0004, 0x000c0505);
    assertThat(i.name()).isEqualTo("v_permlanex16_b32");
    assertThat(Exchange.of(i)).isPresent();
  }

  /** The names of these begin alike, and each lane keeps a value of its own or gets another's. */
  @Test
  void swapsAreNone() {
    Instruction i = instruction(Target.GFX950, 0x7e04b303);
    assertThat(i.name()).isEqualTo("v_permlane16_swap_b32");
    assertThat(Exchange.of(i)).isEmpty();
    assertThat(Exchange.of(instruction(Target.GFX950, 0x7e04b503))).isEmpty();
  }
}
