package dev.rocport.device.op.vector;

import dev.rocport.device.wave.Wave;

/**
 * A routine with its rows.
 *
 * @param mask the scalar register pair of the mask that the routine takes, or -1
 */
record Step(Routine routine, Row d, Row a, Row b, Row c, int mask) {
  long run(Wave wave, long exec) {
    int[] x = a.array(wave);
    int[] y = b.array(wave);
    int[] z = c.array(wave);
    return routine
        .kernel(wave.mode)
        .run(
            d.array(wave),
            d.offset,
            x,
            a.offset,
            y,
            b.offset,
            z,
            c.offset,
            mask < 0 ? 0 : wave.s64(mask),
            exec);
  }
}
