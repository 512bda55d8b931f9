package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Feature;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a native function reads of a wave besides its registers, and where it leaves its results.
 * One per worker thread.
 *
 * <p>In bytes: 0 instructions run, 8 the next one, 12 SCC, 16 the address of the LDS, 24 its size,
 * 32 the table of {@link Allocations}, 40 their number, 48 the state that the wave is left in, 52
 * whether denormals of 16-bit matrices count as 0, 56 the scratch, 64 its bytes for each lane, 72
 * the entry to go on at after a barrier, 76 how often the wave has signaled the barrier of its
 * workgroup and 80 has come to wait at it (RDNA 4), 88 windows: bounds of allocations that accesses
 * were in, as they are the best guess for the next.
 */
final class Context {
  static final int LDS = 16;
  static final int LDS_SIZE = 24;

  static final int STATE = 48;

  private static final int FLUSHES = 52;

  /** The address of the wave's scratch. */
  static final int SCRATCH = 56;

  /** Bytes of scratch for each lane, 64 bits. */
  static final int SCRATCH_SIZE = 64;

  /** The number of the entry after a stop at a barrier; below 0 where the function has none. */
  static final int NEXT = 72;

  /** How often the wave has signaled, as {@link Wave#barrierSignals}. */
  static final int SIGNALS = 76;

  /** How often the wave has come to wait for what others signal, as {@link Wave#barrierWaits}. */
  static final int WAITS = 80;

  private static final int WINDOWS = 88;

  /** For loads, and as many for stores. */
  private static final int MOST_WINDOWS = 16;

  private static final int WINDOW = 16;
  private static final int SIZE = WINDOWS + 2 * MOST_WINDOWS * WINDOW;

  /** By their numbers in native code. */
  private static final List<WaveState> STATES =
      List.of(WaveState.READY, WaveState.BARRIER, WaveState.YIELDED, WaveState.ENDED);

  private static final ThreadLocal<Context> OWN = ThreadLocal.withInitial(Context::new);

  private final MemorySegment bytes = Arena.ofAuto().allocate(SIZE, 8);
  private @Nullable Allocations allocations;

  Context() {}

  /** Whether matrices and atomics take denormals for 0 where the target may do that, an i1. */
  static String flushes(Ir ir) {
    String at = ir.value("getelementptr i8, ptr %%c, i64 %d", FLUSHES);
    return ir.value("icmp ne i32 %s, 0", ir.value("load i32, ptr %s", at));
  }

  static Context own() {
    return OWN.get();
  }

  MemorySegment bytes() {
    return bytes;
  }

  /** The place of the window of an access. Several accesses may share one. */
  static int window(int access, boolean stores) {
    return WINDOWS + WINDOW * (access % MOST_WINDOWS + (stores ? MOST_WINDOWS : 0));
  }

  /** The number of a state in native code. */
  static int number(WaveState state) {
    return STATES.indexOf(state);
  }

  /** The allocations that a wave may access. */
  Allocations allocations(Wave wave) {
    AddressSpace space = wave.group.environment().memory();
    Allocations known = allocations;
    return known != null && known.serve(space) ? known : Allocations.of(space);
  }

  /**
   * Takes what a function reads of a wave.
   *
   * @param known what {@link #allocations} gave for this wave, or another one of its workgroup
   */
  void enter(Wave wave, Allocations known) {
    if (!known.equals(allocations)) {
      allocations = known;
      bytes.set(ValueLayout.ADDRESS, 32, known.table());
      bytes.set(ValueLayout.JAVA_LONG, 40, known.count());
      for (int at = WINDOWS; at < SIZE; at += WINDOW) {
        bytes.set(ValueLayout.JAVA_LONG, at, 1); // empty
        bytes.set(ValueLayout.JAVA_LONG, at + 8, 0);
      }
    }
    bytes.set(ValueLayout.JAVA_INT, 12, wave.scc);
    bytes.set(ValueLayout.JAVA_LONG, LDS, wave.group.lds());
    bytes.set(ValueLayout.JAVA_LONG, LDS_SIZE, wave.group.ldsSize());
    bytes.set(ValueLayout.JAVA_INT, STATE, number(WaveState.READY));
    bytes.set(ValueLayout.JAVA_LONG, SCRATCH, wave.scratch);
    bytes.set(ValueLayout.JAVA_LONG, SCRATCH_SIZE, wave.scratchPerLane);
    bytes.set(ValueLayout.JAVA_INT, SIGNALS, wave.barrierSignals);
    bytes.set(ValueLayout.JAVA_INT, WAITS, wave.barrierWaits);
    boolean flushes = !wave.group.environment().target().has(Feature.ATOMIC_F32_DENORMALS);
    bytes.set(ValueLayout.JAVA_INT, FLUSHES, flushes ? 1 : 0);
  }

  void leave(Wave wave) {
    leave(wave, bytes.get(ValueLayout.JAVA_LONG, 0));
  }

  /**
   * Gives a wave what its function has left here.
   *
   * @param ran the instructions that it has run
   */
  void leave(Wave wave, long ran) {
    wave.instructions += ran;
    wave.pc = bytes.get(ValueLayout.JAVA_INT, 8);
    wave.scc = bytes.get(ValueLayout.JAVA_INT, 12);
    int signals = bytes.get(ValueLayout.JAVA_INT, SIGNALS);
    if (signals != wave.barrierSignals) {
      wave.group.barrier().signaled(wave, signals);
    }
    wave.barrierWaits = bytes.get(ValueLayout.JAVA_INT, WAITS);
    wave.state = STATES.get(bytes.get(ValueLayout.JAVA_INT, STATE));
  }
}
