package dev.rocport.device.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.CompiledKernels;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.RandomWaves;
import dev.rocport.device.wave.RandomWaves.Outcome;
import dev.rocport.device.wave.WaveTrap;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Blocks from all over real kernels leave a wave as the operations one after the other do: its
 * registers, where it stands, what it has counted, memory, and the fault where there is one.
 */
@Tag("toolchain")
final class BlocksTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));

  /** Every so many instructions a block begins. */
  private static final int STEP = 5;

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void blocksDoWhatOperationsDo(Target target, @TempDir Path folder) throws Exception {
    TestToolchain.since("6.4");
    String source = Files.readString(HOME.resolve("hip-runtime/bench/kernels.hip"));
    byte[] bundle = CompiledKernels.compile(folder, source, "-O3");
    CodeObject object = CodeObject.read(FatBinary.select(bundle, target).orElseThrow());
    try (RandomWaves waves = new RandomWaves(object, target)) {
      int blocks = 0;
      for (int pc = 0; pc < waves.code().words(); pc = next(waves.code(), pc)) {
        BasicBlock basic = BasicBlock.from(waves.code(), pc);
        if (basic.instructions() > 1) {
          blocks++;
          Block block = BlockWriter.write(basic);
          for (int i = 0; i < RandomWaves.EXECS.size(); i++) {
            check(waves, basic, block, 100L * pc + i, RandomWaves.EXECS.get(i));
          }
        }
      }
      assertThat(blocks).isGreaterThan(100);
    }
  }

  private static void check(
      RandomWaves waves, BasicBlock basic, Block block, long seed, long exec) {
    Outcome one =
        waves.run(basic.start(), seed, exec, w -> block.run(w, 3L * basic.instructions()));
    int ran = (int) one.wave().instructions;
    Outcome other = waves.run(basic.start(), seed, exec, w -> w.run(ran));
    one.requireSame(other, "block at %d, exec %x".formatted(basic.start(), exec));
  }

  /** Some instructions further on. */
  private static int next(Code code, int pc) {
    int at = pc;
    for (int i = 0; i < STEP; i++) {
      try {
        at += code.at(at).words();
      } catch (WaveTrap e) {
        at++;
      }
    }
    return at;
  }
}
