package dev.rocport.device.check.race;

/**
 * What a wave makes known with the stores or updates of one instruction.
 *
 * @param global the tick up to which its workgroup sees its accesses of global memory
 * @param lds the same for accesses of LDS
 * @param seen what it knows of others
 * @param agent what it has released to its GPU
 * @param system what it has released to all, as one clock
 */
record Published(int global, int lds, Clock seen, WaveClock.Release agent, Clock system) {
  /** By a wave that updates LDS: what it does there is done in order, so all of it comes before. */
  static Published inLds(WaveClock wave) {
    int released = wave.released();
    return new Published(released, released, wave.seen(), WaveClock.Release.NONE, Clock.EMPTY);
  }

  static Published of(WaveClock wave) {
    int global = wave.released();
    int lds = wave.localReleased();
    WaveClock.Release agent = wave.agentRelease();
    return new Published(global, lds, wave.seen(), agent, wave.known(wave.systemRelease()));
  }
}
