package dev.rocport.device.check.uninit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.memory.SharedArena;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A load of what others store while it runs. */
final class SecondLookTest {
  private static final long MEMORY = SharedArena.ADDRESS + (5L << 30);
  private static final int PAGES = 1 << 14;
  private static final int FIRST = 2;
  private static final int STORED = 3;
  private static final int HALF_STORED = 4;

  private final Trial trial = new Trial(new SplittableRandom(3), Target.GFX942);

  @AfterEach
  void forget() {
    GlobalShadow.ALL.set(MEMORY, PAGES, true);
  }

  private static long place(int lane) {
    return MEMORY + 8L * lane;
  }

  /** A wave loads, and another wave stores between the report of the load and its read. */
  private static Op interrupted(Instruction load) {
    return new Op(load) {
      @Override
      public void execute(Wave wave) {
        long[] places = new long[Wave.LANES];
        for (int lane = 0; lane < Wave.LANES; lane++) {
          places[lane] = place(lane);
        }
        Shade shade = Shade.of(wave);
        Objects.requireNonNull(shade.current)
            .access(
                wave, shade, new MemoryAccess(Kind.GLOBAL, Access.LOAD, wave.exec(), 8, places, 4));
        GlobalShadow.ALL.set(place(STORED), 8, true);
        GlobalShadow.ALL.set(place(HALF_STORED) + 4, 2, true);
      }
    };
  }

  @Test
  void bytesStoredBeforeTheLoadReadsMemoryAreDefined() {
    GlobalShadow.ALL.set(MEMORY, PAGES, false);
    trial.wave.s64(Wave.EXEC, -1);
    // global_load_dwordx2 v[2:3], v[0:1], off
    Instruction load = Decoder.of(Target.GFX942).decode(0xdc548000, 0x027f0000);
    new MemoryWatch(interrupted(load), trial.shade.report.origins()).execute(trial.wave);

    Shade shade = trial.shade;
    assertThat(shade.any[FIRST]).isEqualTo(~(1L << STORED));
    assertThat(shade.any[FIRST + 1]).isEqualTo(~(1L << STORED));
    assertThat(shade.bits(FIRST + 1, HALF_STORED)).isEqualTo(0xffff0000);
    assertThat(shade.bits(FIRST + 1, HALF_STORED + 1)).isEqualTo(-1);
  }
}
