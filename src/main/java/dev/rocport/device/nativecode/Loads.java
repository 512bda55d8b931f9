package dev.rocport.device.nativecode;

import dev.rocport.device.op.memory.Width;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Loads that follow each other, and whose lanes' addresses differ by the same amounts: one decision
 * about {@link Neighbours} serves them all.
 */
final class Loads implements Consumer<Chunk> {
  /** Words of a lane that stay in registers of the host until they are stored. */
  private static final int MOST_WORDS = 8;

  /**
   * A load, or a part of one.
   *
   * @param to where its words go
   */
  record Load(Access access, Width width, Registers to) {}

  private final List<Load> loads = new ArrayList<>();

  /**
   * @param first the parts of an instruction; their addresses are in the same register
   */
  Loads(List<Load> first) {
    loads.addAll(first);
  }

  /** Adds the parts of the next instruction, if they go with those before. */
  boolean takes(List<Load> next) {
    Access one = loads.getFirst().access();
    Access other = next.getFirst().access();
    Place place = one.place();
    boolean alike =
        place.local() == other.place().local()
            && place.isNarrow() == other.place().isNarrow()
            && place.register() == other.place().register()
            && one.bytes() == other.bytes();
    if (!alike
        || loads.stream().anyMatch(l -> l.to().holds(place.register(), place.words()))
        || words(loads) + words(next) > MOST_WORDS) {
      return false;
    }
    loads.addAll(next);
    return true;
  }

  private static int words(List<Load> loads) {
    return loads.stream().mapToInt(l -> l.width().dwords()).sum();
  }

  @Override
  public void accept(Chunk c) {
    List<String> words = Access.load(c, loads);
    int next = 0;
    for (Load load : loads) {
      int end = next + load.width().dwords();
      MemoryForms.set(c, load.to(), words.subList(next, end));
      next = end;
    }
  }
}
