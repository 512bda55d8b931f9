package dev.rocport.device.check.order;

/**
 * A store that an atomic load has seen.
 *
 * @param by which of its wave's accesses the load is
 * @param acquired whether the wave has acquired since
 */
record Seen(Writer writer, int by, boolean acquired) {
  Seen thenAcquired() {
    return new Seen(writer, by, true);
  }

  /** Whether it reports a store of the same wave that is not ordered before it. */
  boolean tellsTooEarly(Writer before) {
    return acquired && before.time() - writer.waited() > 0;
  }
}
