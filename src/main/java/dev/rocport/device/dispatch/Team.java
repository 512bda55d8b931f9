package dev.rocport.device.dispatch;

import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Together;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import org.jspecify.annotations.Nullable;

/** The waves of a workgroup, as far as they run together. */
final class Team {
  private final Wave[] all;
  private final Wave[] waves;
  private final Block[] blocks;
  private final int[] entries;
  private final long[] instructions;

  /** How many waves have not ended. */
  private int count;

  Team(Wave[] all) {
    this.all = all;
    this.waves = new Wave[all.length];
    this.blocks = new Block[all.length];
    this.entries = new int[all.length];
    this.instructions = new long[all.length];
  }

  /**
   * Runs the waves up to barriers and beyond, if each begins a block that can do that.
   *
   * @param group the number of the workgroup
   * @param order in which the waves run
   * @param budget the instructions of a wave up to a barrier after which it may be stopped
   * @return whether a wave has run
   */
  boolean run(Launch launch, long group, int[] order, int budget, Temporaries temporaries) {
    Together together = gather(launch, group, order);
    if (together == null) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      waves[i].temporaries = temporaries;
    }
    together.run(waves, blocks, count, budget);
    boolean ran = false;
    boolean ended = false;
    for (int i = 0; i < count; i++) {
      long more = waves[i].instructions - instructions[i];
      waves[i].code.ran(entries[i], blocks[i], more);
      ran |= more > 0;
      ended |= waves[i].state == WaveState.ENDED;
    }
    if (ended) {
      launch.progress();
    }
    return ran;
  }

  /** What runs all waves that have not ended, or null. */
  private @Nullable Together gather(Launch launch, long group, int[] order) {
    Together together = null;
    count = 0;
    for (int i : order) {
      Wave wave = all[i];
      if (wave.state == WaveState.ENDED) {
        continue;
      }
      Block block =
          launch.options().trace().hasWave(launch.kernel(), group, i) ? null : wave.entry();
      if (block == null) {
        return null;
      }
      together = block.together();
      if (together == null || all.length > together.most()) {
        return null;
      }
      waves[count] = wave;
      blocks[count] = block;
      entries[count] = wave.pc;
      instructions[count++] = wave.instructions;
    }
    return together;
  }
}
