package dev.rocport.device.nativecode;

import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.wave.Wave;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * What a native function reads of a wave besides its registers, and where it leaves its results.
 * One per worker thread.
 *
 * <p>In bytes: 0 instructions run, 8 the next one, 12 SCC, 16 the address of the LDS, 24 its size,
 * 32 the table of {@link Allocations}, 40 their number.
 */
final class Context {
  static final int LDS = 16;
  static final int LDS_SIZE = 24;

  private static final int SIZE = 48;
  private static final ThreadLocal<Context> OWN = ThreadLocal.withInitial(Context::new);

  private final MemorySegment bytes = Arena.ofAuto().allocate(SIZE, 8);
  private @Nullable Allocations allocations;

  private Context() {}

  static Context own() {
    return OWN.get();
  }

  MemorySegment bytes() {
    return bytes;
  }

  void enter(Wave wave) {
    AddressSpace space = wave.group.environment().memory();
    Allocations known = allocations;
    if (known == null || !known.serve(space)) {
      known = Allocations.of(space);
      allocations = known;
      bytes.set(ValueLayout.ADDRESS, 32, known.table());
      bytes.set(ValueLayout.JAVA_LONG, 40, known.count());
    }
    bytes.set(ValueLayout.JAVA_INT, 12, wave.scc);
    bytes.set(ValueLayout.JAVA_LONG, LDS, wave.group.lds());
    bytes.set(ValueLayout.JAVA_LONG, LDS_SIZE, wave.group.ldsSize());
  }

  void leave(Wave wave) {
    wave.instructions += bytes.get(ValueLayout.JAVA_LONG, 0);
    wave.pc = bytes.get(ValueLayout.JAVA_INT, 8);
    wave.scc = bytes.get(ValueLayout.JAVA_INT, 12);
  }
}
