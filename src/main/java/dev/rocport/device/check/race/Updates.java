package dev.rocport.device.check.race;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Updates of LDS without a result, as a histogram has them: they race with nothing while nothing
 * else touches their words. Of each word and wave, the last one is kept. When something else comes,
 * {@link #giveUp} makes of them what {@link Cells} keeps.
 */
final class Updates {
  /** More words times waves than this take too much memory. */
  private static final int MOST = 1 << 15;

  private final GroupRaces group;
  private final int waves;
  private final int words;

  /**
   * By word and wave: the tick of the last update, shifted by one, and whether it is released.
   * Empty until there is one.
   */
  private int[] ticks;

  /** How, as in {@link PackedAccess}. */
  private int[] infos;

  /** Who last wrote all words of a row, before the updates. */
  private long[] formers;

  /** The wave that looks at words now. */
  private int visitor;

  private Updates(GroupRaces group, int words, int[] ticks, int[] infos, long[] formers) {
    this.group = group;
    this.waves = group.waves.length;
    this.words = words;
    this.ticks = ticks;
    this.infos = infos;
    this.formers = formers;
  }

  static boolean fits(int words, GroupRaces group) {
    return (long) words * group.waves.length <= MOST;
  }

  /**
   * Those of a workgroup.
   *
   * @param before those of the workgroup that had the LDS before, whose memory is used again
   */
  static Updates of(@Nullable Updates before, int words, GroupRaces group) {
    return before != null && before.waves == group.waves.length
        ? new Updates(group, words, before.ticks, before.infos, before.formers)
        : new Updates(group, words, new int[0], new int[0], new long[0]);
  }

  void visits(int wave) {
    visitor = wave;
  }

  long former(int row) {
    return formers[row];
  }

  /** A row has only updates from here on; of its words, no update is known. */
  void begin(Cells cells, int row) {
    if (ticks.length == 0) {
      ticks = new int[words * waves];
      infos = new int[words * waves];
      formers = new long[cells.rowWriters.length];
    }
    formers[row] = cells.rowWriters[row];
    cells.rowWriters[row] = Cells.UPDATED;
    int from = row * Cells.ROW * waves;
    Arrays.fill(ticks, from, Math.min(ticks.length, from + Cells.ROW * waves), 0);
  }

  /**
   * The visitor updates a word.
   *
   * @param tick of the update, shifted by one, and whether it is released
   * @return whether the word was updated before
   */
  boolean add(int cell, int tick, int info) {
    int at = cell * waves + visitor;
    boolean again = ticks[at] != 0;
    ticks[at] = tick;
    infos[at] = info;
    return again;
  }

  /** Makes the two last writers of a word from its updates, others than the visitor first. */
  void giveUp(Cells cells, int cell) {
    int kept = 0;
    for (int i = 1; i <= waves; i++) {
      int wave = (visitor + i) % waves;
      int at = cell * waves + wave;
      int tick = ticks[at];
      if (tick == 0) {
        continue;
      }
      WaveClock clock = group.waves[wave];
      long epoch = Epoch.of(clock.actor, tick >>> 1);
      if (kept == 0) {
        cells.writers[cell] = epoch;
        cells.writes[cell] = infos[at];
        cells.readers[cell] = 0;
        cells.forgetOthers(cell);
      } else if (kept == 1) {
        cells.addOtherWriter(cell, epoch, infos[at]);
      }
      kept++;
      int released = (tick >>> 1) - (~tick & 1);
      cells.location(cell).publishInLds(clock, clock.published(tick >>> 1, released));
    }
  }
}
