package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.block.Blocks;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Target;
import dev.rocport.device.op.scalar.ScalarTranslator;
import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.BlockCompiler;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.NoEnvironment;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Code that runs long becomes native, whatever ran it before. */
@Tag("toolchain")
@Execution(ExecutionMode.SAME_THREAD) // they share a library
final class TiersTest {
  private static final long BASE = 0x7f12_3456_7000L;
  private static final int TURNS = 12_000_000;

  /** The loop: s_add_u32 s0, s0, 1; s_cmp_lt_u32 s0, s1; s_cbranch_scc1; s_endpgm. */
  private static final int[] TEXT = {0x80008100, 0xbf0a0100, 0xbf85fffd, 0xbf810000, 0};

  /** The block of the loop after it has run; the first tier makes its own beside the wave. */
  private @Nullable Block run(Supplier<Optional<Path>> clang, int turns) {
    return run(clang, turns, new Worth());
  }

  private @Nullable Block run(Supplier<Optional<Path>> clang, int turns, Worth worth) {
    BlockCompiler tiers =
        new Tiers(
            new Blocks(),
            clang,
            () -> Optional.of(new KeptRegions(folder.resolve("regions"))),
            Runnable::run,
            worth);
    Decoder decoder = Decoder.of(Target.GFX90A);
    Code code =
        new Code(
            BASE,
            4L * (TEXT.length - 1),
            Wave.LANES,
            offset -> {
              int at = (int) (offset >> 2);
              return decoder.decode(TEXT[at], TEXT[at + 1]);
            },
            new ScalarTranslator(),
            tiers);
    Group group = new Group(new NoEnvironment(Target.GFX90A), 0, 0, 0, 0, 0);
    Wave wave = new Wave(code, group, 0, 1, 1, 0, 0, new Temporaries());
    wave.mode = Wave.USUAL_MODE;
    wave.s[1] = turns;
    while (wave.state == WaveState.READY) {
      wave.run(4096);
    }
    assertThat(wave.s[0]).isEqualTo(turns);
    assertThat(wave.instructions).isEqualTo(3L * turns + 1);
    return code.block(0);
  }

  @TempDir private Path folder;

  @Test
  void codeThatRunsLongBecomesNative() throws Exception {
    Path clang = TestToolchain.get().clang();
    assertThat(run(() -> Optional.of(clang), TURNS)).isInstanceOf(NativeBlock.class);
    // It is kept now, so the next run begins with it.
    assertThat(run(Optional::empty, 2)).isInstanceOf(NativeBlock.class);
  }

  @Test
  void codeThatRunsShortlyDoesNot() throws Exception {
    Path clang = TestToolchain.get().clang();
    assertThat(run(() -> Optional.of(clang), 100) instanceof NativeBlock).isFalse();
  }

  @Test
  void afterManyRegionsCodeMustRunLonger() throws Exception {
    Path clang = TestToolchain.get().clang();
    Worth worth = new Worth();
    for (int i = 0; i < 100; i++) {
      worth.compiled();
    }
    assertThat(worth.instructions()).isBetween(3L * (TURNS / 6), 3L * TURNS);
    // A fresh process compiles what has run for 0.4 seconds, so this is not about its length.
    assertThat(run(() -> Optional.of(clang), TURNS / 6, worth))
        .isNotNull()
        .isNotInstanceOf(NativeBlock.class);
    long before = worth.instructions();
    assertThat(run(() -> Optional.of(clang), TURNS, worth)).isInstanceOf(NativeBlock.class);
    assertThat(worth.instructions()).isGreaterThan(before);
  }

  @Test
  void whatIsKeptAndDamagedIsCompiledAgain() throws Exception {
    Path clang = TestToolchain.get().clang();
    assertThat(run(() -> Optional.of(clang), TURNS)).isInstanceOf(NativeBlock.class);
    Path regions = folder.resolve("regions");
    String line = Files.readString(regions);
    Path library = Path.of(line.substring(0, line.indexOf('\t')));
    byte[] bytes = Files.readAllBytes(library);
    Files.delete(library); // it stays mapped
    Files.write(library, Arrays.copyOf(bytes, bytes.length / 2));
    assertThat(run(() -> Optional.of(clang), TURNS)).isInstanceOf(NativeBlock.class);
    assertThat(library).hasBinaryContent(bytes);

    Files.writeString(regions, "no such thing\n" + line.replace(clang.toString(), "/nowhere"));
    assertThat(run(() -> Optional.of(clang), TURNS)).isInstanceOf(NativeBlock.class);
  }

  @Test
  void withoutACompilerTheFirstTierRemains() {
    assertThat(run(Optional::empty, TURNS)).isNotNull().isNotInstanceOf(NativeBlock.class);
  }
}
