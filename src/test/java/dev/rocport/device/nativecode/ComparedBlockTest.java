package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.RandomWaves;
import dev.rocport.device.wave.RandomWaves.Outcome;
import dev.rocport.toolchain.TestToolchain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A native function of other code than the wave's is found out, one of the same code is not. */
@Tag("toolchain")
final class ComparedBlockTest {
  private static final int ADD_V3_V1_V2 = 0x68060501;
  private static final int SUB_V3_V1_V2 = 0x6a060501;
  private static final int SHIFT_LEFT_V0_2_V9 = 0x24001282;
  private static final int AND_V0_255_V0 = 0x260000ff;
  private static final int[] WRITE_LDS_V0_V3 = {0xd81a0000, 0x00000300};
  private static final int WAIT = 0xbf8cc07f;
  private static final int SLEEP = 0xbf8e0001;
  private static final long SEED = 5;

  private static int[] program(int first) {
    return new int[] {
      first,
      SHIFT_LEFT_V0_2_V9,
      AND_V0_255_V0,
      0xff,
      WRITE_LDS_V0_V3[0],
      WRITE_LDS_V0_V3[1],
      WAIT,
      SLEEP
    };
  }

  /** Runs a wave's code beside the native function of other code. */
  private static Outcome run(RandomWaves waves, int[] compiled) throws Exception {
    HostCompiler compiler = HostCompiler.here(TestToolchain.get().clang());
    try (RandomWaves other = new RandomWaves(compiled, Target.GFX90A)) {
      LoadedFunction function = LoadedFunction.of(Region.of(other.code(), 0, true), compiler);
      ComparedBlock block = new ComparedBlock(function.library(), 0, function.entries());
      return waves.run(0, SEED, -1L, wave -> block.run(wave, 100));
    }
  }

  @Test
  void sameCodeLeavesWhatTheInterpreterLeaves() throws Exception {
    int[] code = program(ADD_V3_V1_V2);
    // Registers hold addresses, so both runs need the same memory.
    try (RandomWaves waves = new RandomWaves(code, Target.GFX90A)) {
      Outcome compared = run(waves, code);

      assertThat(compared.fault()).isEmpty();
      compared.requireSame(waves.run(0, SEED, -1L, wave -> wave.run(100)), "compared");
    }
  }

  @Test
  void differenceStopsTheWaveAtTheFirstInstructionThatDiffers() throws Exception {
    try (RandomWaves waves = new RandomWaves(program(ADD_V3_V1_V2), Target.GFX90A)) {
      Outcome compared = run(waves, program(SUB_V3_V1_V2));

      assertThat(compared.fault()).contains("native code differ", "v3 is 0x", "in lane 0");
      assertThat(compared.wave().pc).isNotZero();
    }
  }
}
