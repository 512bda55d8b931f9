package dev.rocport.device.check.race;

/**
 * A moment in the life of a wave, in 64 bits: the number of its launch (18), of the wave in the
 * launch (24), and its own clock's tick (22). The upper two together are the actor; 0 is nobody.
 * Source of the idea: Flanagan and Freund, FastTrack, PLDI 2009.
 */
final class Epoch {
  static final int TICK_BITS = 22;
  static final int WAVE_BITS = 24;
  static final int MOST_TICKS = (1 << TICK_BITS) - 1;
  static final int MOST_WAVES = 1 << WAVE_BITS;
  static final int MOST_LAUNCHES = (1 << 18) - 1;

  private Epoch() {}

  static long actor(int launch, long wave) {
    return (long) launch << WAVE_BITS | wave;
  }

  static long of(long actor, int tick) {
    return actor << TICK_BITS | tick;
  }

  static long actor(long epoch) {
    return epoch >>> TICK_BITS;
  }

  static int tick(long epoch) {
    return (int) epoch & MOST_TICKS;
  }

  static int launch(long actor) {
    return (int) (actor >>> WAVE_BITS);
  }

  static int wave(long actor) {
    return (int) actor & (MOST_WAVES - 1);
  }
}
